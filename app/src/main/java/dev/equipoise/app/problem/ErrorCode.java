package dev.equipoise.app.problem;

import java.util.Locale;

/** The error codes of the API, on which clients rely. */
public enum ErrorCode {
    INVALID_DEFINITION(400, "The definition is not valid"),
    INVALID_REQUEST(400, "The request is not valid"),
    MALFORMED_BODY(400, "The body cannot be read"),
    INVALID_BUNDLE(400, "The bundle is not valid"),
    UNAUTHENTICATED(401, "A valid bearer token is required"),
    FORBIDDEN(403, "The caller may not do this"),
    CSRF(403, "The request does not carry the CSRF token of its session"),
    NOT_FOUND(404, "The resource does not exist"),
    NOT_TRACED(404, "The run has no trace"),
    NOT_RECORDED(404, "The run was not recorded"),
    MODEL_NOT_KEPT(404, "The run keeps no trained model"),
    MODEL_NOT_YET(404, "The run has no trained model yet"),
    MODEL_REMOVED(404, "The trained model was removed"),
    METHOD_NOT_ALLOWED(405, "The resource has no such method"),
    NOT_ACCEPTABLE(406, "The resource has no such representation"),
    BODY_TOO_SLOW(408, "The body arrives too slowly"),
    ILLEGAL_STATE(409, "The current state does not allow the request"),
    HAS_RUNS(409, "The resource has runs"),
    NAME_TAKEN(409, "The name is already taken"),
    INCOMPATIBLE_VERSION(409, "The versions of service and agent are incompatible"),
    UNREACHABLE_ADDRESS(409, "Workers of other hosts cannot reach the address of a worker"),
    STALE_GENERATION(409, "The work has a newer generation or has ended"),
    QUOTA_EXCEEDED(409, "The project has reached its quota"),
    CONFLICT(409, "Another request changed the resource at the same time"),
    PRECONDITION_FAILED(412, "The resource has changed"),
    BODY_TOO_LARGE(413, "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The media type of the body is not supported"),
    KEY_REUSED(422, "The idempotency key was sent with another request"),
    RATE_LIMITED(429, "The caller exceeds its request rate"),
    TOO_MANY_STREAMS(429, "The caller has reached its limit of event streams"),
    INTERNAL(500, "The service failed; the request is not the cause"),
    NO_ROOM(507, "The service has no space for this"),
    BUSY(503, "The service or its database is overloaded or does not answer");

    private final int status;
    private final String title;

    ErrorCode(int status, String title) {
        this.status = status;
        this.title = title;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** Returns the seconds after which a retry may succeed; 0 if time alone does not help. */
    public int retryAfterSeconds() {
        return switch (this) {
            case BUSY -> 5;
            case NO_ROOM -> 60;
            default -> 0;
        };
    }

    /** Returns the code that clients see, for example {@code invalid-definition}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
