package dev.equipoise.agent.service;

import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;

/** Words for a certificate of the service that this agent does not accept. */
final class CertificateRejection {

    private CertificateRejection() {}

    /**
     * Returns one sentence without a full stop; empty if a request failed for another reason.
     *
     * @param address of the service
     */
    static Optional<String> of(String address, Throwable failure) {
        for (Throwable it = failure; it != null; it = it.getCause()) {
            if (it instanceof CertificateException rejection) {
                return Optional.of(
                        "the certificate of %s %s".formatted(address, reason(root(rejection))));
            }
        }
        return Optional.empty();
    }

    private static String reason(Throwable root) {
        String message = root.getMessage();
        return switch (root) {
            case CertificateExpiredException _ -> "has expired: " + message;
            case CertificateNotYetValidException _ ->
                    "is not valid yet by the clock of this host: " + message;
            case CertificateException it when isOfName(it) -> "is for another host: " + message;
            default ->
                    "is not trusted: %s; --ca names a file with the certificate of its authority"
                            .formatted(message);
        };
    }

    /** The check of the name throws the class itself, the check of the signatures a subclass. */
    private static boolean isOfName(CertificateException rejection) {
        return rejection.getClass() == CertificateException.class;
    }

    private static Throwable root(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : root(cause);
    }
}
