package dev.equipoise.performance.partition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Batch counts: the number of equal mini-batches of each replica in a round (docs/algorithms.md,
 * section 7).
 *
 * @param counts in rank order, each at least 1
 * @param efficiency batch efficiency, from 0 to 1: samples that all replicas compute in a round
 *     over those that they could compute in its time
 */
public record BatchCounts(List<Integer> counts, double efficiency) {

    /** Error of a ratio of two speeds; counts are at most some thousands. */
    private static final double ROUNDING = 1e-9;

    public BatchCounts {
        counts = List.copyOf(counts);
    }

    /**
     * Computes the batch efficiency of counts: {@code sum r_i / (max_i(r_i / v_i) sum v_i)}.
     *
     * @param speeds v_i, greater than 0, in any unit
     */
    public static BatchCounts of(List<Integer> counts, List<Double> speeds) {
        double slowest =
                IntStream.range(0, counts.size())
                        .mapToDouble(i -> counts.get(i) / speeds.get(i))
                        .max()
                        .orElseThrow();
        double all = speeds.stream().mapToDouble(Double::doubleValue).sum();
        return new BatchCounts(
                counts, counts.stream().mapToInt(Integer::intValue).sum() / (slowest * all));
    }

    /**
     * Lists, by ascending total, the counts that are more efficient than all with a smaller total.
     *
     * @param most limit of the mini-batches of all replicas in a round, at least one per replica
     */
    public static List<BatchCounts> choices(List<Double> speeds, int most) {
        double slowest = Collections.min(speeds);
        List<BatchCounts> better = new ArrayList<>();
        for (int base = 1; base <= most; base++) {
            double scale = base / slowest;
            if (speeds.stream().anyMatch(it -> scale * it > most)) {
                break;
            }
            List<Integer> counts =
                    speeds.stream().map(it -> (int) Math.max(1, Math.round(scale * it))).toList();
            BatchCounts choice = of(counts, speeds);
            if (choice.total() <= most
                    && (better.isEmpty()
                            || choice.efficiency() > better.getLast().efficiency() + 1e-12)) {
                better.add(choice);
            }
        }
        return List.copyOf(better);
    }

    /**
     * Returns the most efficient counts within a limit. If the smallest choice exceeds the limit,
     * because one replica is much faster than another, it returns {@link #ofTotal} of the limit.
     *
     * @param most limit of the mini-batches of all replicas in a round, at least one per replica
     */
    public static BatchCounts best(List<Double> speeds, int most) {
        if (most < speeds.size()) {
            throw new IllegalArgumentException(
                    "the limit of %d mini-batches a round is too low for %d replicas: at least %d"
                            .formatted(most, speeds.size(), speeds.size()));
        }
        return choices(speeds, most).stream()
                .max(Comparator.comparingDouble(BatchCounts::efficiency))
                .orElseGet(() -> ofTotal(most, speeds));
    }

    /**
     * Computes {@code r_i = floor(v_i / min_j v_j)}, the batch counts of Moreno-Álvarez and others.
     * A ratio that is whole but for rounding counts as whole.
     *
     * @param speeds v_i, greater than 0, in any unit
     */
    public static BatchCounts floored(List<Double> speeds) {
        double slowest = Collections.min(speeds);
        return of(
                speeds.stream().map(it -> (int) Math.floor(it / slowest + ROUNDING)).toList(),
                speeds);
    }

    /**
     * Gives mini-batches one by one to the replica that finishes its next one first, which
     * minimizes the time of the round.
     *
     * @param total mini-batches of a round, at least one per replica
     */
    public static BatchCounts ofTotal(int total, List<Double> speeds) {
        List<Integer> counts = new ArrayList<>(Collections.nCopies(speeds.size(), 1));
        for (int given = speeds.size(); given < total; given++) {
            int first =
                    IntStream.range(0, speeds.size())
                            .boxed()
                            .min(
                                    Comparator.comparingDouble(
                                            i -> (counts.get(i) + 1) / speeds.get(i)))
                            .orElseThrow();
            counts.set(first, counts.get(first) + 1);
        }
        return of(counts, speeds);
    }

    public int total() {
        return counts.stream().mapToInt(Integer::intValue).sum();
    }
}
