package dev.equipoise.app.telemetry;

import java.util.Arrays;

/** Points of a curve in ascending order of steps. Not thread-safe. */
public final class CurvePoints implements PackedPoints.Reader {

    private static final int INITIAL_CAPACITY = 1024;

    private long[] steps = new long[INITIAL_CAPACITY];
    private double[] seconds = new double[INITIAL_CAPACITY];
    private double[] values = new double[INITIAL_CAPACITY];
    private int size;

    /**
     * Adds a point. A step that is not after the last one means that the run went back to an
     * earlier round: the points from that step on are discarded.
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

    /** Returns a reader that adds only points up to a step. */
    PackedPoints.Reader upTo(long last) {
        return (step, at, value) -> {
            if (step <= last) {
                point(step, at, value);
            }
        };
    }

    /** Returns the least value of a curve that has points. */
    public double least() {
        return Arrays.stream(values, 0, size).min().orElseThrow();
    }

    /** Returns the greatest value of a curve that has points. */
    public double greatest() {
        return Arrays.stream(values, 0, size).max().orElseThrow();
    }

    /** Returns the index of the first point at or after a step; the size if there is none. */
    int indexOf(long step) {
        int found = Arrays.binarySearch(steps, 0, size, step);
        return found < 0 ? -found - 1 : found;
    }

    public int size() {
        return size;
    }

    /** Returns the rounds since the beginning of the run. */
    public long step(int index) {
        return steps[index];
    }

    /** Returns the training time since the beginning of the run, on the clock of the rank. */
    public double seconds(int index) {
        return seconds[index];
    }

    public double value(int index) {
        return values[index];
    }
}
