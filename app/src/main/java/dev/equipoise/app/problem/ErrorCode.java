package dev.equipoise.app.problem;

import java.util.Locale;

/** Every way in which a request can fail; clients rely on the codes. */
public enum ErrorCode {
    INVALID_DEFINITION(400, "The definition is not valid"),
    INVALID_REQUEST(400, "The request is not valid"),
    MALFORMED_BODY(400, "The body cannot be read"),
    INVALID_BUNDLE(400, "The bundle is not valid"),
    UNAUTHENTICATED(401, "A valid bearer token is needed"),
    FORBIDDEN(403, "The caller may not do this"),
    CSRF(403, "The request does not carry the CSRF token of its session"),
    NOT_FOUND(404, "There is no such thing here"),
    NOT_TRACED(404, "No trace was asked for"),
    NOT_RECORDED(404, "No record was asked for"),
    METHOD_NOT_ALLOWED(405, "The resource has no such method"),
    NOT_ACCEPTABLE(406, "The resource has no such representation"),
    BODY_TOO_SLOW(408, "The body comes too slowly"),
    ILLEGAL_STATE(409, "The present state does not allow this"),
    HAS_RUNS(409, "Runs came from it"),
    NAME_TAKEN(409, "The name is taken"),
    INCOMPATIBLE_VERSION(409, "The versions of service and agent are too far apart"),
    STALE_GENERATION(409, "The work was placed anew or is over"),
    QUOTA_EXCEEDED(409, "The project may not have more of that"),
    CONFLICT(409, "Somebody else changed it at the same time"),
    PRECONDITION_FAILED(412, "The resource has changed since"),
    BODY_TOO_LARGE(413, "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body is of a type that is not understood"),
    KEY_REUSED(422, "The key was sent with another request"),
    RATE_LIMITED(429, "The caller asks too often"),
    TOO_MANY_STREAMS(429, "The caller reads as many streams as it may"),
    INTERNAL(500, "The service failed; it is not the request's fault"),
    NO_ROOM(507, "The service has no room for this"),
    BUSY(503, "The service has too much to do");

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

    /** As clients see it, for example {@code invalid-definition}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
