package dev.equipoise.launcher;

import dev.equipoise.endpoint.ServiceAddress;
import dev.equipoise.endpoint.TrustedCertificates;
import dev.equipoise.launcher.context.Context;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Address of a service, and the certificate authorities that may certify it.
 *
 * @param address http or https, with the path below which the service is, if any, and without a
 *     slash at its end
 * @param ca absolute path of a PEM file with certificate authorities; null for those of the JDK
 */
public record ServiceEndpoint(URI address, @Nullable Path ca) {

    /** Removes a slash at the end of the address. An empty file name counts as none. */
    public ServiceEndpoint {
        address = ServiceAddress.withoutSlash(address);
        ca = given(ca).map(it -> it.toAbsolutePath().normalize()).orElse(null);
        if (ca != null && !ServiceAddress.isEncrypted(address)) {
            throw new UsageError(
                    "--ca applies to an https service, but the service was " + address);
        }
    }

    /** Returns the file of an option, of which an empty one counts as none. */
    static Optional<Path> given(@Nullable Path ca) {
        return Optional.ofNullable(ca).filter(it -> !it.toString().isEmpty());
    }

    /** Returns the endpoint of a context. */
    public static ServiceEndpoint of(Context context) {
        String ca = context.ca();
        return new ServiceEndpoint(context.service(), ca == null ? null : Path.of(ca));
    }

    /**
     * Returns the file of an option, or else that of the variable {@code EQUIPOISE_CA}, which a
     * service without a certificate ignores.
     */
    public static Optional<Path> caOf(
            @Nullable Path option, Map<String, String> environment, URI address) {
        return given(option)
                .or(() ->
                        Optional.ofNullable(environment.get("EQUIPOISE_CA"))
                                .filter(it -> !it.isBlank() && ServiceAddress.isEncrypted(address))
                                .map(Path::of));
    }

    /**
     * Returns a client, which the caller closes.
     *
     * @throws UsageError if the file of certificate authorities cannot be used
     */
    public ServiceApi api(String token) {
        return api(ServiceApi.bearing(token));
    }

    /**
     * Returns a client that authenticates in another way than by a token, or not at all.
     *
     * @param headers headers of each request
     * @throws UsageError if the file of certificate authorities cannot be used
     */
    public ServiceApi api(Map<String, String> headers) {
        return new ServiceApi(address, headers, trust());
    }

    /**
     * Returns the context of a TLS client; null for that of the JDK.
     *
     * @throws UsageError if the file of certificate authorities cannot be used
     */
    @Nullable SSLContext trust() {
        try {
            return ca == null ? null : TrustedCertificates.read(ca);
        } catch (IllegalArgumentException unusable) {
            throw new UsageError(
                    "cannot use the certificate authorities of %s; --ca names another file"
                            .formatted(unusable.getMessage()));
        }
    }
}
