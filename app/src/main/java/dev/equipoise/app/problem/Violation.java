package dev.equipoise.app.problem;

import org.jspecify.annotations.Nullable;

/**
 * One broken rule.
 *
 * @param pointer where, as a JSON pointer into the body, for example {@code /training/epochs}
 * @param rule what must hold there, for example {@code must be at least 1}
 * @param value what stood there, or null where nothing did
 */
public record Violation(String pointer, String rule, @Nullable Object value) {

    /** No answer repeats more of what a client sent, in characters. */
    private static final int SHOWN = 300;

    private static final int LONGEST_RULE = 1000;
    private static final int LONGEST_POINTER = 2000;

    public Violation {
        pointer = Cut.to(LONGEST_POINTER, pointer);
        rule = Cut.to(LONGEST_RULE, rule);
        value = isShort(value) ? value : Cut.to(SHOWN, String.valueOf(value));
    }

    private static boolean isShort(@Nullable Object value) {
        return value == null || String.valueOf(value).length() <= SHOWN;
    }
}
