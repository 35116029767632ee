package dev.equipoise.performance.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Divides a ranking into tie groups. The entries of a tie group have intervals that overlap the
 * interval of its first entry, so that the ranking cannot tell them from it.
 */
public final class TieGroups {

    /**
     * Interval of a ranked figure, in its unit.
     *
     * @param low at most {@code high}
     */
    public record Interval(double low, double high) {

        boolean overlaps(Interval other) {
            return low <= other.high && other.low <= high;
        }
    }

    private TieGroups() {}

    /**
     * Puts each entry into the first tie group whose first entry it overlaps, or into a new one. An
     * uncertain entry far down thereby joins the group of the best, as it may be the best.
     *
     * @param entries the best first
     * @return tie groups, the best first; each has its entries in the given order
     */
    public static <T> List<List<T>> of(List<T> entries, Function<T, Interval> interval) {
        List<List<T>> groups = new ArrayList<>();
        for (T entry : entries) {
            groups.stream()
                    .filter(group ->
                            interval.apply(group.getFirst()).overlaps(interval.apply(entry)))
                    .findFirst()
                    .ifPresentOrElse(
                            group -> group.add(entry),
                            () -> groups.add(new ArrayList<>(List.of(entry))));
        }
        return groups.stream().map(List::copyOf).toList();
    }
}
