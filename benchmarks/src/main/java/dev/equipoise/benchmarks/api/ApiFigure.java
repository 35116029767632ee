package dev.equipoise.benchmarks.api;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was found.
 *
 * @param unit {@code s}, {@code ms}, {@code MB}, or nothing of a number
 * @param bound what it must be below; null where nothing is wanted of it
 */
record ApiFigure(String what, double value, String unit, @Nullable Double bound) {

    static ApiFigure below(double bound, String what, double value, String unit) {
        return new ApiFigure(what, value, unit, bound);
    }

    static ApiFigure told(String what, double value, String unit) {
        return new ApiFigure(what, value, unit, null);
    }

    /** Whether it is as wanted; true where nothing is. */
    boolean holds() {
        return bound == null || value < bound;
    }

    /** A line of the table. */
    String line() {
        return String.format(
                Locale.ROOT, "%-52s %12s  %-12s %s", what, number(value), wanted(), verdict());
    }

    private String wanted() {
        return bound == null ? "" : "below " + number(bound);
    }

    private String verdict() {
        if (bound == null) {
            return "";
        }
        return holds() ? "reached" : "MISSED";
    }

    private String number(double number) {
        String form = unit.equals("s") ? "%,.2f" : "%,.0f";
        return (String.format(Locale.ROOT, form, number) + " " + unit).strip();
    }
}
