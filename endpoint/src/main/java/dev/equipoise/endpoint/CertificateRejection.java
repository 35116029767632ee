package dev.equipoise.endpoint;

import java.net.URI;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;

/** Describes why the TLS certificate of the service was rejected. */
public final class CertificateRejection {

    private CertificateRejection() {}

    /**
     * Returns one sentence without a full stop, which tells what to do; empty if a request failed
     * for another reason.
     *
     * @param service address of the service
     */
    public static Optional<String> of(URI service, Throwable failure) {
        for (Throwable it = failure; it != null; it = it.getCause()) {
            if (it instanceof CertificateException rejection) {
                return Optional.of(
                        "the certificate of %s %s".formatted(service, reason(root(rejection))));
            }
        }
        return Optional.empty();
    }

    private static String reason(Throwable root) {
        return switch (root) {
            case CertificateExpiredException _ -> "has expired%s; renew it".formatted(detail(root));
            case CertificateNotYetValidException _ ->
                    "is not valid yet%s; set the clock of this host".formatted(detail(root));
            case CertificateException it when isOfName(it) ->
                    "is for another host%s; use a name of its subjectAltName"
                            .formatted(detail(root));
            default ->
                    "is not trusted%s; --ca names a file with the certificate of its authority"
                            .formatted(detail(root));
        };
    }

    private static String detail(Throwable root) {
        String message = root.getMessage();
        return message == null ? "" : ": " + message;
    }

    /**
     * Returns whether the check of the name has failed. It throws the class itself and says what
     * there is none of; the check of the signatures throws a subclass.
     */
    private static boolean isOfName(CertificateException rejection) {
        String message = rejection.getMessage();
        return rejection.getClass() == CertificateException.class
                && message != null
                && message.startsWith("No ");
    }

    private static Throwable root(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : root(cause);
    }
}
