package dev.equipoise.app.filter;

import dev.equipoise.app.problem.Violation;

/** Thrown if the parser cannot continue. */
final class FilterFault extends RuntimeException {

    private final int at;
    private final String found;

    /**
     * @param at index of the first wrong character
     * @param found wrong part of the text; empty at its end
     */
    FilterFault(int at, String found, String rule) {
        super(rule);
        this.at = at;
        this.found = found;
    }

    Violation violation(String pointer) {
        return violation(pointer, at, found, String.valueOf(getMessage()));
    }

    /** Returns a violation that tells where the text is wrong, counted from 1. */
    static Violation violation(String pointer, int at, String found, String rule) {
        return new Violation(
                pointer,
                found.isEmpty()
                        ? "character %d, the end: %s".formatted(at + 1, rule)
                        : "character %d, '%s': %s".formatted(at + 1, found, rule),
                found.isEmpty() ? null : found);
    }
}
