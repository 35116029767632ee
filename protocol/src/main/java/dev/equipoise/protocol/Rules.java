package dev.equipoise.protocol;

import java.util.Collection;

/** The checks of the messages, each with the rule and the actual value in its error. */
final class Rules {

    private Rules() {}

    static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "%s must be at least %d, but was %d".formatted(name, least, value));
        }
    }

    /** Refuses NaN and infinities as well. */
    static void atLeast(String name, double value, double least) {
        if (!(value >= least) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "%s must be at least %s, but was %s".formatted(name, least, value));
        }
    }

    static void notBlank(String name, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("%s must not be blank".formatted(name));
        }
    }

    static void notEmpty(String name, Collection<?> value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("%s must not be empty".formatted(name));
        }
    }
}
