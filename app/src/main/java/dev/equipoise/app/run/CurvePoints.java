package dev.equipoise.app.run;

import java.util.Arrays;

/** The points of a curve, in the order of their steps; one thread fills it. */
final class CurvePoints implements PackedPoints.Reader {

    private static final int FIRST_ROOM = 1024;

    private long[] steps = new long[FIRST_ROOM];
    private double[] seconds = new double[FIRST_ROOM];
    private double[] values = new double[FIRST_ROOM];
    private int size;

    /**
     * Adds one. Where it is not after the last, the run has gone back to an earlier round: those
     * that it does again are forgotten.
     */
    @Override
    public void point(long step, double at, double value) {
        while (size > 0 && steps[size - 1] >= step) {
            size--;
        }
        if (size == steps.length) {
            steps = Arrays.copyOf(steps, 2 * size);
            seconds = Arrays.copyOf(seconds, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        steps[size] = step;
        seconds[size] = at;
        values[size] = value;
        size++;
    }

    /** Takes those of the first steps alone. */
    PackedPoints.Reader upTo(long last) {
        return (step, at, value) -> {
            if (step <= last) {
                point(step, at, value);
            }
        };
    }

    double least() {
        return Arrays.stream(values, 0, size).min().orElseThrow();
    }

    double greatest() {
        return Arrays.stream(values, 0, size).max().orElseThrow();
    }

    int size() {
        return size;
    }

    long step(int index) {
        return steps[index];
    }

    double seconds(int index) {
        return seconds[index];
    }

    double value(int index) {
        return values[index];
    }
}
