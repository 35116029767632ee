package dev.equipoise.performance.partition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How many equal mini-batches each replica takes in a round (ALGORITHMS section 7).
 *
 * @param counts one a replica, at least 1
 * @param efficiency of the round: what is computed by all against what could be in the same time
 */
public record BatchCounts(List<Integer> counts, double efficiency) {

    public BatchCounts {
        counts = List.copyOf(counts);
    }

    /**
     * The counts of a choice, with its efficiency {@code sum r_i / (max_i(r_i / v_i) sum v_i)}.
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

    /** As the paper takes them: how many times as fast as the slowest, rounded down. */
    public static BatchCounts floored(List<Double> speeds) {
        double slowest = Collections.min(speeds);
        return of(speeds.stream().map(it -> (int) Math.floor(it / slowest)).toList(), speeds);
    }

    /**
     * Every choice that is better than all of fewer mini-batches, by ascending number of these.
     *
     * @param most mini-batches of a round, of all replicas together; at least one a replica
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
     * The choice with the best efficiency within a number of mini-batches. Where even one for the
     * slowest makes more of them, as many as there may be, of which the slowest has one all the
     * same.
     *
     * @param most at least one a replica
     */
    public static BatchCounts best(List<Double> speeds, int most) {
        if (most < speeds.size()) {
            throw new IllegalArgumentException(
                    "%d replicas need %d mini-batches a round at least, not %d"
                            .formatted(speeds.size(), speeds.size(), most));
        }
        return choices(speeds, most).stream()
                .max(Comparator.comparingDouble(BatchCounts::efficiency))
                .orElseGet(() -> ofTotal(most, speeds));
    }

    /**
     * So many mini-batches, one after the other to the replica that is done with it first, which
     * makes the round as short as it can be.
     *
     * @param total at least one a replica
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
