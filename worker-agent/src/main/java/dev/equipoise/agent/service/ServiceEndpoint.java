package dev.equipoise.agent.service;

import dev.equipoise.endpoint.ServiceAddress;
import java.net.URI;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Address of the service, and the certificate authorities that may certify it.
 *
 * @param address http or https, with the path below which the service is, if any, and without a
 *     slash at its end
 * @param trust context that trusts the certificate authorities of a file; null for those of the JDK
 */
public record ServiceEndpoint(URI address, @Nullable SSLContext trust) {

    /** Removes a slash at the end of the address. */
    public ServiceEndpoint {
        address = ServiceAddress.withoutSlash(address);
    }

    /** Returns the endpoint of a service that certificate authorities of the JDK may certify. */
    public static ServiceEndpoint of(URI address) {
        return new ServiceEndpoint(address, null);
    }
}
