package dev.equipoise.app.problem;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects impossible figures of a body, each with its JSON pointer, value and limit. The limits
 * leave room for every real run, and keep sums and products of figures finite. Figures are checked
 * where they enter the service, so that figures that are stored already can still be read.
 */
public final class FigureChecks {

    /**
     * Limit of times, in seconds: above those of every virtual run, whose speed may be a millionth
     * of a sample a second.
     */
    public static final double MAX_SECONDS = 1e30;

    /** Limit of bytes and counts of an epoch; larger whole numbers are not exact in JavaScript. */
    public static final long MAX_COUNT = 1L << 53;

    /**
     * Limit of losses, distances and ratios; the loss of a network whose outputs are float32
     * numbers is smaller.
     */
    public static final double MAX_MAGNITUDE = 1e100;

    /** Limit of times on a clock, in nanoseconds (73 years): their sums are 64-bit numbers. */
    public static final long MAX_NANOS = 1L << 61;

    /** Limit of reported violations. */
    private static final int MAX_VIOLATIONS = 100;

    private final String place;
    private final List<Violation> violations;

    private FigureChecks(String place, List<Violation> violations) {
        this.place = place;
        this.violations = violations;
    }

    /** Creates checks of a body without violations. */
    public FigureChecks() {
        this("", new ArrayList<>());
    }

    /** Returns checks of a part of this body. */
    public FigureChecks at(String pointer) {
        return new FigureChecks(place + pointer, violations);
    }

    /** Checks an accuracy, from 0 to 1. */
    public FigureChecks accuracy(String pointer, @Nullable Double accuracy) {
        return between(pointer, accuracy, 0, 1);
    }

    /** Checks a time, in seconds. */
    public FigureChecks seconds(String pointer, @Nullable Double seconds) {
        return between(pointer, seconds, 0, MAX_SECONDS);
    }

    /** Checks a number that is not negative, such as a test loss or a distance. */
    public FigureChecks magnitude(String pointer, @Nullable Double value) {
        return between(pointer, value, 0, MAX_MAGNITUDE);
    }

    /** Checks a number of either sign, such as a training loss. */
    public FigureChecks value(String pointer, @Nullable Double value) {
        return between(pointer, value, -MAX_MAGNITUDE, MAX_MAGNITUDE);
    }

    /** Checks a number of bytes, frames or steps. */
    public FigureChecks count(String pointer, long count) {
        if (count < 0 || count > MAX_COUNT) {
            add(pointer, "must be from 0 to %d".formatted(MAX_COUNT), count);
        }
        return this;
    }

    /** Checks times, in seconds. */
    public FigureChecks allSeconds(String pointer, List<Double> seconds) {
        for (int i = 0; i < seconds.size(); i++) {
            if (!(seconds.get(i) >= 0 && seconds.get(i) <= MAX_SECONDS)) {
                seconds(pointer + "/" + i, seconds.get(i));
            }
        }
        return this;
    }

    /** Checks times of either sign on a clock, in nanoseconds. */
    public FigureChecks allNanos(String pointer, List<Long> nanos) {
        for (int i = 0; i < nanos.size(); i++) {
            if (nanos.get(i) < -MAX_NANOS || nanos.get(i) > MAX_NANOS) {
                add(
                        pointer + "/" + i,
                        "must be from %d to %d".formatted(-MAX_NANOS, MAX_NANOS),
                        nanos.get(i));
            }
        }
        return this;
    }

    /** Checks numbers of either sign. */
    public FigureChecks allValues(String pointer, List<Double> values) {
        for (int i = 0; i < values.size(); i++) {
            if (!(Math.abs(values.get(i)) <= MAX_MAGNITUDE)) {
                value(pointer + "/" + i, values.get(i));
            }
        }
        return this;
    }

    /**
     * Rejects a body with violations.
     *
     * @throws Problem with all violations, at most {@value #MAX_VIOLATIONS}
     */
    public void requireNone(ErrorCode code) {
        if (!violations.isEmpty()) {
            throw Problem.of(code, violations);
        }
    }

    private FigureChecks between(
            String pointer, @Nullable Double value, double least, double most) {
        if (value != null && !(value >= least && value <= most)) {
            add(pointer, "must be from %s to %s".formatted(least, most), value);
        }
        return this;
    }

    /** Adds a violation of another rule. */
    public void add(String pointer, String rule, Object value) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(new Violation(place + pointer, rule, value));
        }
    }
}
