package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.service.ServiceEndpoint;
import dev.equipoise.endpoint.ServiceAddress;
import dev.equipoise.endpoint.TrustedCertificates;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Command line option for the certificate authorities that certify the service. */
final class TrustOptions {

    private static final String OPTION = "--ca";
    private static final String VARIABLE = "EQUIPOISE_CA";

    @Option(
            names = OPTION,
            paramLabel = "FILE",
            description =
                    "PEM file with certificate authorities, which alone may then certify an https"
                            + " service (default: $EQUIPOISE_CA, else those of the JDK).")
    private @Nullable Path ca;

    /**
     * Returns the endpoint of the service. An empty file name counts as none. A service without a
     * certificate ignores the variable, which may stay set for other services.
     *
     * @param environment variables of the agent
     * @throws IllegalArgumentException if the option is given for a service without a certificate,
     *     or the file cannot be used
     */
    ServiceEndpoint endpoint(URI service, Map<String, String> environment) {
        if (ca != null && !ca.toString().isEmpty()) {
            if (!ServiceAddress.isEncrypted(service)) {
                throw new IllegalArgumentException(
                        "--ca applies to an https service, but --service is " + service);
            }
            return trusting(service, OPTION, ca);
        }
        String file = environment.getOrDefault(VARIABLE, "").strip();
        return file.isEmpty() || !ServiceAddress.isEncrypted(service)
                ? ServiceEndpoint.of(service)
                : trusting(service, VARIABLE, Path.of(file));
    }

    private static ServiceEndpoint trusting(URI service, String source, Path file) {
        try {
            return new ServiceEndpoint(service, TrustedCertificates.read(file));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(source + " " + e.getMessage(), e);
        }
    }
}
