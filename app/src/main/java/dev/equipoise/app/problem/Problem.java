package dev.equipoise.app.problem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that cannot be fulfilled; the advice turns it into an answer. */
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

    /** What is not there, or not there for this caller: the two are told apart to nobody. */
    public static Problem notFound(String kind, Object id) {
        return of(ErrorCode.NOT_FOUND, "There is no %s %s".formatted(kind, id));
    }

    /** All that is wrong with a body at once. */
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

    /** The same, which may be over after so many seconds. */
    public Problem retryAfter(long seconds) {
        return new Problem(code, String.valueOf(getMessage()), violations, seconds);
    }

    /** In seconds, as {@code Retry-After} has it; null where nobody knows. */
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
