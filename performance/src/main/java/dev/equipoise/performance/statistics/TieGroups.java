package dev.equipoise.performance.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Divides a ranking into tie groups. The figures of a tie group do not tell its entries from its
 * first entry.
 */
public final class TieGroups {

    /**
     * Interval of a ranked figure, in its unit.
     *
     * @param low at most {@code high}
     */
    public record Interval(double low, double high) {

        public boolean overlaps(Interval other) {
            return low <= other.high && other.low <= high;
        }
    }

    private TieGroups() {}

    /**
     * Puts each entry into the first tie group whose first entry it ties with, or into a new one.
     * An uncertain entry far down thereby joins the group of the best, as it may be the best.
     *
     * @param entries the best first
     * @param isTied whether the first entry of a group, the first argument, cannot be told from
     *     another entry
     * @return tie groups, the best first; each has its entries in the given order
     */
    public static <T> List<List<T>> of(List<T> entries, BiPredicate<T, T> isTied) {
        List<List<T>> groups = new ArrayList<>();
        for (T entry : entries) {
            groups.stream()
                    .filter(group -> isTied.test(group.getFirst(), entry))
                    .findFirst()
                    .ifPresentOrElse(
                            group -> group.add(entry),
                            () -> groups.add(new ArrayList<>(List.of(entry))));
        }
        return groups.stream().map(List::copyOf).toList();
    }
}
