package dev.equipoise.agent.profile;

import dev.equipoise.protocol.Points;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Which points an adaptive measurement takes next: the middles of the intervals in whose last
 * middle the line between the ends missed the time. The middle is the geometric one, as speed
 * changes with the order of a size.
 */
final class Bisection {

    /** Tells of a truth that holds for one of the companions at least. */
    @FunctionalInterface
    interface Anyone {
        boolean any(boolean own);
    }

    /** An interval and its middle, which is being measured. */
    private record Interval(int low, int middle, int high) {

        /** Of sizes between which there is another. */
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

    /** The points to begin with. */
    List<Integer> ends() {
        return List.of(points.from(), points.to());
    }

    /**
     * Those that come next, ascending; none at the end.
     *
     * @param found of all that came last
     */
    List<Integer> after(Map<Integer, Sample> found, Anyone anyone) {
        known.putAll(found);
        List<Interval> next = new ArrayList<>();
        if (known.size() == 2) {
            halve(points.from(), points.to(), next);
        }
        for (Interval interval : open) {
            if (anyone.any(miss(interval) > points.accuracy())) {
                halve(interval.low(), interval.middle(), next);
                halve(interval.middle(), interval.high(), next);
            }
        }
        open = next.subList(0, Math.min(next.size(), points.most() - known.size()));
        return open.stream().map(Interval::middle).toList();
    }

    /** By what part of the time in the middle the line from end to end misses it. */
    private double miss(Interval interval) {
        double from = seconds(interval.low());
        double part =
                (double) (interval.middle() - interval.low()) / (interval.high() - interval.low());
        double line = from + (seconds(interval.high()) - from) * part;
        double time = seconds(interval.middle());
        return Math.abs(line - time) / time;
    }

    private double seconds(int size) {
        return Objects.requireNonNull(known.get(size)).mean();
    }

    private static void halve(int low, int high, List<Interval> halves) {
        if (Interval.isPossible(low, high)) {
            halves.add(Interval.of(low, high));
        }
    }
}
