package dev.equipoise.agent.service;

/** Thrown when the service gives no answer, or an error. */
public final class ServiceFailed extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final int NO_ANSWER = 0;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    /** Code of a lost race, which the same request may win the next time. */
    private static final String CONFLICT = "conflict";

    /** Code of a report on work that was reassigned or has ended. */
    private static final String STALE = "stale-generation";

    private final int status;
    private final boolean isLostRace;
    private final boolean isStale;

    private ServiceFailed(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.isLostRace = false;
        this.isStale = false;
    }

    private ServiceFailed(int status, String code, String message) {
        super(message);
        this.status = status;
        this.isLostRace = code.equals(CONFLICT);
        this.isStale = code.equals(STALE);
    }

    static ServiceFailed unreachable(String address, Throwable cause) {
        return new ServiceFailed(NO_ANSWER, "no answer from the service at " + address, cause);
    }

    static ServiceFailed refused(int status, String code, String detail) {
        return new ServiceFailed(
                status, code, "the service answered %d %s: %s".formatted(status, code, detail));
    }

    static ServiceFailed unreadable(int status, String address, Throwable cause) {
        return new ServiceFailed(
                status,
                "the answer from %s is not from an Equipoise service; check the address"
                        .formatted(address),
                cause);
    }

    /** Returns whether the same request may succeed later. */
    public boolean isTemporary() {
        return isLostRace
                || status == NO_ANSWER
                || status == REQUEST_TIMEOUT
                || status == TOO_MANY_REQUESTS
                || status >= SERVER_ERROR;
    }

    /** Returns whether the token is missing, unknown or of the wrong kind. */
    public boolean isRefusedToken() {
        return status == UNAUTHORIZED || status == FORBIDDEN;
    }

    /** Returns whether the work no longer belongs to this worker. */
    boolean isRevocation() {
        return isStale || isUnknownWorker();
    }

    /** Returns whether the service does not know the token. */
    boolean isUnauthenticated() {
        return status == UNAUTHORIZED;
    }

    /** Returns whether the service does not accept the token or does not know the worker. */
    public boolean isUnknownWorker() {
        return status == UNAUTHORIZED || status == NOT_FOUND;
    }
}
