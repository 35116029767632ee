package dev.equipoise.agent.service;

import java.net.URI;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Address of the service, and the authorities that may certify it.
 *
 * @param address http or https, with the path below which the service is, if any
 * @param trust context that trusts the authorities of a file; null for those of the Java platform
 */
public record ServiceEndpoint(URI address, @Nullable SSLContext trust) {

    /** Returns the endpoint of a service that authorities of the Java platform may certify. */
    public static ServiceEndpoint of(URI address) {
        return new ServiceEndpoint(address, null);
    }
}
