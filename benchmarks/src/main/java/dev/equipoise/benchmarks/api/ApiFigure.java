package dev.equipoise.benchmarks.api;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A measured figure.
 *
 * @param unit {@code s}, {@code ms}, {@code MB}, or empty for a number
 * @param bound upper bound of the figure; null without one
 */
record ApiFigure(String what, double value, String unit, @Nullable Double bound) {

    static ApiFigure below(double bound, String what, double value, String unit) {
        return new ApiFigure(what, value, unit, bound);
    }

    static ApiFigure of(String what, double value, String unit) {
        return new ApiFigure(what, value, unit, null);
    }

    /** Returns whether the figure is below its bound; true without a bound. */
    boolean holds() {
        return bound == null || value < bound;
    }

    /** Formats a line of the table. */
    String line() {
        return String.format(
                Locale.ROOT, "%-52s %12s  %-12s %s", what, number(value), limit(), verdict());
    }

    private String limit() {
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
