package dev.equipoise.app.problem;

import org.jspecify.annotations.Nullable;

/**
 * One broken rule.
 *
 * @param pointer where, as a JSON pointer into the body, for example {@code /training/epochs}
 * @param rule what must hold there, for example {@code must be at least 1}
 * @param value what stood there, or null where nothing did
 */
public record Violation(String pointer, String rule, @Nullable Object value) {}
