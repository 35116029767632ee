package dev.equipoise.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Error codes of the service: the field {@code code} of its problem documents (RFC 9457). An agent
 * takes an answer with another code for that of a proxy, and repeats its request; so does an older
 * agent with a new code.
 */
public enum ProblemCode {
    INVALID_DEFINITION,
    INVALID_REQUEST,
    MALFORMED_BODY,
    INVALID_BUNDLE,
    UNAUTHENTICATED,
    FORBIDDEN,
    CSRF,
    NOT_FOUND,
    NOT_TRACED,
    NOT_RECORDED,
    MODEL_NOT_KEPT,
    MODEL_NOT_YET,
    MODEL_REMOVED,
    METHOD_NOT_ALLOWED,
    NOT_ACCEPTABLE,
    BODY_TOO_SLOW,
    ILLEGAL_STATE,
    HAS_RUNS,
    NAME_TAKEN,
    INCOMPATIBLE_VERSION,
    UNREACHABLE_ADDRESS,
    STALE_GENERATION,
    QUOTA_EXCEEDED,
    CONFLICT,
    PRECONDITION_FAILED,
    BODY_TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    KEY_REUSED,
    RATE_LIMITED,
    TOO_MANY_STREAMS,
    INTERNAL,
    NO_ROOM,
    BUSY;

    /** Returns the code of a problem document; empty if the service has no such code. */
    public static Optional<ProblemCode> of(String text) {
        return Arrays.stream(values()).filter(code -> code.text().equals(text)).findFirst();
    }

    /** Returns the code as documents contain it, for example {@code stale-generation}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
