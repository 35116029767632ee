package dev.equipoise.agent.profile;

import dev.equipoise.protocol.Points;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Chooses the next points of an adaptive measurement: the middles of the intervals in whose middle
 * the line between the ends missed the measured time (docs/algorithms.md, section 7). The middle is
 * geometric, since speed changes with the order of magnitude of a size.
 */
final class Bisection {

    /** Combines a condition over all co-located workers. */
    @FunctionalInterface
    interface AnyWorker {
        boolean any(boolean own);
    }

    /** Interval with its middle, which is being measured. */
    private record Interval(int low, int middle, int high) {

        /** Returns whether there is a size between two others. */
        static boolean isPossible(int low, int high) {
            return high - low > 1;
        }

        static Interval of(int low, int high) {
            int middle = (int) Math.round(Math.sqrt((double) low * high));
            return new Interval(low, Math.clamp(middle, low + 1, high - 1), high);
        }
    }

    private final Points.Adaptive points;
    private final Map<Integer, Sample> known = new TreeMap<>();
    private List<Interval> open = List.of();

    Bisection(Points.Adaptive points) {
        this.points = points;
    }

    /** Returns the first points. */
    List<Integer> ends() {
        return List.of(points.from(), points.to());
    }

    /**
     * Returns the next points, ascending; none at the end.
     *
     * @param found samples of all points of the last call
     */
    List<Integer> after(Map<Integer, Sample> found, AnyWorker anyWorker) {
        known.putAll(found);
        List<Interval> next = new ArrayList<>();
        if (known.size() == 2) {
            addHalf(points.from(), points.to(), next);
        }
        for (Interval interval : open) {
            if (anyWorker.any(relativeError(interval) > points.accuracy())) {
                addHalf(interval.low(), interval.middle(), next);
                addHalf(interval.middle(), interval.high(), next);
            }
        }
        open = next.subList(0, Math.min(next.size(), points.most() - known.size()));
        return open.stream().map(Interval::middle).toList();
    }

    /** Returns the error of the line at the middle, relative to the measured time. */
    private double relativeError(Interval interval) {
        double from = seconds(interval.low());
        double fraction =
                (double) (interval.middle() - interval.low()) / (interval.high() - interval.low());
        double line = from + (seconds(interval.high()) - from) * fraction;
        double time = seconds(interval.middle());
        return Math.abs(line - time) / time;
    }

    private double seconds(int size) {
        return Objects.requireNonNull(known.get(size)).mean();
    }

    private static void addHalf(int low, int high, List<Interval> halves) {
        if (Interval.isPossible(low, high)) {
            halves.add(Interval.of(low, high));
        }
    }
}
