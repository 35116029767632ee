package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.service.ServiceEndpoint;
import dev.equipoise.agent.service.TrustedCertificates;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Command line option for the authorities that certify the service. */
final class TrustOptions {

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            defaultValue = "${env:EQUIPOISE_CA}",
            description =
                    "PEM file with the certificates of the authorities that certify an https"
                            + " service; no other authority then counts (default: those of the"
                            + " Java platform).")
    private @Nullable Path ca;

    /**
     * Returns the endpoint of the service. An empty variable counts as none.
     *
     * @throws IllegalArgumentException if the service has no certificate, or the file cannot be
     *     used
     */
    ServiceEndpoint endpoint(URI service) {
        if (ca == null || ca.toString().isEmpty()) {
            return ServiceEndpoint.of(service);
        }
        if (!"https".equals(service.getScheme())) {
            throw new IllegalArgumentException(
                    "--ca applies to an https service, but --service is " + service);
        }
        try {
            return new ServiceEndpoint(service, TrustedCertificates.read(ca));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--ca " + e.getMessage(), e);
        }
    }
}
