package dev.equipoise.launcher;

import dev.equipoise.endpoint.CertificateRejection;
import java.net.ConnectException;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;

/**
 * Reports that the service did not answer, or failed; whether the request had an effect is unknown.
 */
public final class ServiceUnreachable extends LabFailure {

    private static final long serialVersionUID = 1;

    ServiceUnreachable(URI service, Throwable cause) {
        super(sentence(service, cause), cause);
    }

    private static String sentence(URI service, Throwable cause) {
        return CertificateRejection.of(service, cause)
                .orElseGet(() ->
                        "the service at %s does not answer: %s".formatted(service, reason(cause)));
    }

    /** Describes the cause; a refused connection has no message. */
    private static String reason(Throwable cause) {
        if (hasUnknownHost(cause)) {
            return "the name of its host is unknown";
        }
        String message = cause.getMessage();
        if (message != null) {
            return message;
        }
        return cause instanceof ConnectException
                ? "cannot connect"
                : cause.getClass().getSimpleName();
    }

    private static boolean hasUnknownHost(Throwable cause) {
        return cause instanceof UnresolvedAddressException
                || (cause.getCause() != null && hasUnknownHost(cause.getCause()));
    }
}
