package dev.equipoise.agent.service;

/** The service gave no answer, or an answer that is an error. */
public final class ServiceFailed extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final int NO_ANSWER = 0;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    /** The code of a lost race, which the same request may win the next time. */
    private static final String CONFLICT = "conflict";

    /** The code of a report on work that was placed anew or is over. */
    private static final String STALE = "stale-generation";

    private final int status;
    private final boolean lostRace;
    private final boolean stale;

    private ServiceFailed(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.lostRace = false;
        this.stale = false;
    }

    private ServiceFailed(int status, String code, String message) {
        super(message);
        this.status = status;
        this.lostRace = code.equals(CONFLICT);
        this.stale = code.equals(STALE);
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
                status, "what answers at %s is not the service".formatted(address), cause);
    }

    /** Whether the same request may well succeed later. */
    public boolean isTemporary() {
        return lostRace
                || status == NO_ANSWER
                || status == REQUEST_TIMEOUT
                || status == TOO_MANY_REQUESTS
                || status >= SERVER_ERROR;
    }

    /** Whether the token is none, or not one for what was asked. */
    public boolean isRefusedToken() {
        return status == UNAUTHORIZED || status == FORBIDDEN;
    }

    /** Whether it is the work that is not this worker's any more, whatever is said of it. */
    boolean isRevocation() {
        return stale || isUnknownWorker();
    }

    /** Whether the service does not know the token, whatever was asked. */
    boolean isUnauthenticated() {
        return status == UNAUTHORIZED;
    }

    /** Whether the service does not accept the token or does not know the worker. */
    public boolean isUnknownWorker() {
        return status == UNAUTHORIZED || status == NOT_FOUND;
    }
}
