package dev.equipoise.app.problem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thrown if a request cannot be fulfilled; {@link ProblemAdvice} turns it into a response. */
public final class Problem extends RuntimeException {

    private final ErrorCode code;
    private final transient List<Violation> violations;
    private final @Nullable Long retryAfter;

    private Problem(
            ErrorCode code, String detail, List<Violation> violations, @Nullable Long retryAfter) {
        super(detail);
        this.code = code;
        this.violations = List.copyOf(violations);
        this.retryAfter = retryAfter;
    }

    public static Problem of(ErrorCode code, String detail) {
        return new Problem(code, detail, List.of(), null);
    }

    /**
     * Returns a 404 for a resource that does not exist or is invisible to the caller; no response
     * tells the two apart.
     */
    public static Problem notFound(String kind, Object id) {
        return of(ErrorCode.NOT_FOUND, "There is no %s %s".formatted(kind, id));
    }

    /**
     * Casts an object to a type.
     *
     * @throws Problem {@code invalid-request} if it is of another type, and so does not belong to
     *     the subject
     */
    public static <T> T requireKind(Class<T> kind, Object object, String subject) {
        if (!kind.isInstance(object)) {
            throw of(
                    ErrorCode.INVALID_REQUEST,
                    "%s does not belong to %s".formatted(object, subject));
        }
        return kind.cast(object);
    }

    /** Returns a problem with all violations of a body. */
    public static Problem of(ErrorCode code, List<Violation> violations) {
        String detail =
                violations.size() == 1
                        ? "1 rule is broken: %s %s"
                                .formatted(
                                        violations.getFirst().pointer(),
                                        violations.getFirst().rule())
                        : "%d rules are broken".formatted(violations.size());
        return new Problem(code, detail, violations, null);
    }

    /** Returns this problem with its violations in a part of the body. */
    public Problem under(String pointer) {
        return violations.isEmpty()
                ? this
                : of(
                        code,
                        violations.stream()
                                .map(it ->
                                        new Violation(
                                                pointer + it.pointer(), it.rule(), it.value()))
                                .toList());
    }

    /** Returns this problem with a time in seconds after which a retry may succeed. */
    public Problem retryAfter(long seconds) {
        return new Problem(code, String.valueOf(getMessage()), violations, seconds);
    }

    /** Returns the seconds for {@code Retry-After}, or null if they are unknown. */
    public @Nullable Long retryAfter() {
        return retryAfter;
    }

    public ErrorCode code() {
        return code;
    }

    public List<Violation> violations() {
        return violations;
    }
}
