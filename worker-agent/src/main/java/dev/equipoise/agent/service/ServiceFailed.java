package dev.equipoise.agent.service;

import dev.equipoise.endpoint.CertificateRejection;
import dev.equipoise.protocol.ProblemCode;
import java.net.ConnectException;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/** Thrown when the service gives no answer, or another than the wanted one. */
public final class ServiceFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Null if a repetition may succeed. */
    private final @Nullable ProblemCode rejection;

    private ServiceFailed(
            @Nullable ProblemCode rejection, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.rejection = rejection;
    }

    static ServiceFailed unreachable(URI address, Throwable cause) {
        String message =
                CertificateRejection.of(address, cause)
                        .orElseGet(() ->
                                "no answer from the service at %s: %s"
                                        .formatted(address, reason(cause)));
        return new ServiceFailed(null, message, cause);
    }

    /** Describes the cause; the client gives no message for a refused connection. */
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

    static ServiceFailed of(Verdict verdict, @Nullable Throwable cause) {
        return switch (verdict) {
            case Verdict.Temporary it -> new ServiceFailed(null, it.message(), cause);
            case Verdict.Rejected it -> new ServiceFailed(it.code(), it.message(), cause);
        };
    }

    /** Returns whether the same request may succeed later. */
    public boolean isTemporary() {
        return rejection == null;
    }

    /** Returns whether the service does not accept the token: it is unknown or of another kind. */
    public boolean isRefusedToken() {
        return rejection == ProblemCode.UNAUTHENTICATED || rejection == ProblemCode.FORBIDDEN;
    }

    /** Returns whether the advertised address, or that of another worker, leads nowhere. */
    public boolean isUnreachableAddress() {
        return rejection == ProblemCode.UNREACHABLE_ADDRESS;
    }

    /** Returns whether the service does not have what the request names. */
    boolean isNotFound() {
        return rejection == ProblemCode.NOT_FOUND;
    }

    /** Returns whether the work no longer belongs to this worker. */
    boolean isRevocation() {
        return rejection == ProblemCode.STALE_GENERATION || isUnknownWorker();
    }

    /** Returns whether the service does not know the token. */
    public boolean isUnauthenticated() {
        return rejection == ProblemCode.UNAUTHENTICATED;
    }

    /** Returns whether the service does not accept the token or does not know the worker. */
    public boolean isUnknownWorker() {
        return rejection == ProblemCode.UNAUTHENTICATED || rejection == ProblemCode.NOT_FOUND;
    }
}
