package dev.equipoise.launcher;

import dev.equipoise.launcher.context.Context;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Address of a service, and the authorities that may certify it.
 *
 * @param address http or https, with the path below which the service is, if any
 * @param ca absolute path of a PEM file with their certificates; null for the authorities of the
 *     Java platform
 */
public record ServiceEndpoint(URI address, @Nullable Path ca) {

    public ServiceEndpoint {
        if (ca != null && !isEncrypted(address)) {
            throw new UsageError(
                    "--ca applies to an https service, but the service was " + address);
        }
        ca = ca == null ? null : ca.toAbsolutePath().normalize();
    }

    private static boolean isEncrypted(URI address) {
        return "https".equals(address.getScheme());
    }

    /** Returns the endpoint of a context. */
    public static ServiceEndpoint of(Context context) {
        String ca = context.ca();
        return new ServiceEndpoint(context.service(), ca == null ? null : Path.of(ca));
    }

    /**
     * Returns the file that the variable {@code EQUIPOISE_CA} names; empty for a service without a
     * certificate.
     */
    public static Optional<Path> caOf(Map<String, String> environment, URI address) {
        return Optional.ofNullable(environment.get("EQUIPOISE_CA"))
                .filter(it -> !it.isBlank() && isEncrypted(address))
                .map(Path::of);
    }

    /**
     * Returns a client, which the caller closes.
     *
     * @throws UsageError if the file of certificates cannot be used
     */
    public ServiceApi api(String token) {
        return api(ServiceApi.bearing(token));
    }

    /**
     * Returns a client that authenticates in another way than by a token, or not at all.
     *
     * @param headers headers of each request
     * @throws UsageError if the file of certificates cannot be used
     */
    public ServiceApi api(Map<String, String> headers) {
        return new ServiceApi(address, headers, trust());
    }

    /**
     * Returns the context of a TLS client; null for that of the Java platform.
     *
     * @throws UsageError if the file of certificates cannot be used
     */
    @Nullable SSLContext trust() {
        return ca == null ? null : TrustedCertificates.read(ca);
    }
}
