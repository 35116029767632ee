package dev.equipoise.app.problem;

import org.jspecify.annotations.Nullable;

/**
 * A broken rule.
 *
 * @param pointer the place, as a JSON pointer into the body, for example {@code /training/epochs}
 * @param rule what must hold there, for example {@code must be at least 1}
 * @param value the value found there, or null if there is none
 */
public record Violation(String pointer, String rule, @Nullable Object value) {

    /** The longest part of a client's input that a response repeats, in characters. */
    private static final int MAX_VALUE_CHARACTERS = 300;

    private static final int MAX_RULE_CHARACTERS = 1000;
    private static final int MAX_POINTER_CHARACTERS = 2000;

    public Violation {
        pointer = Truncation.to(MAX_POINTER_CHARACTERS, pointer);
        rule = Truncation.to(MAX_RULE_CHARACTERS, rule);
        value = isShort(value) ? value : Truncation.to(MAX_VALUE_CHARACTERS, String.valueOf(value));
    }

    private static boolean isShort(@Nullable Object value) {
        return value == null || String.valueOf(value).length() <= MAX_VALUE_CHARACTERS;
    }
}
