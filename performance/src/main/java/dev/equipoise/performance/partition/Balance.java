package dev.equipoise.performance.partition;

import dev.equipoise.protocol.Partitioning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * State of dynamic load balancing between two epochs: the shares and the last observed speed of
 * each rank (Clarke, Lastovetsky and Rychkov 2010; docs/algorithms.md, section 7).
 *
 * @param shares samples of an epoch, in rank order
 * @param speeds samples per second, in rank order; 0 for a rank that was never observed
 */
public record Balance(List<Integer> shares, List<Double> speeds) {

    public Balance {
        shares = List.copyOf(shares);
        speeds = List.copyOf(speeds);
    }

    /** Creates the state of a run that begins, with no observed speed. */
    public static Balance of(List<Integer> shares) {
        return new Balance(shares, Collections.nCopies(shares.size(), 0.0));
    }

    /**
     * Computes the shares of the next epoch from the computing times of the last one.
     *
     * @param work the epoch whose samples are shared
     * @param seconds computing time of each rank; ignored for a rank with the share 0
     * @param hysteresis the relative gain of the longest time below which the shares stay as they
     *     are, from 0 to 1
     */
    public Balance after(EpochWork work, List<Double> seconds, double hysteresis) {
        List<Double> observed =
                IntStream.range(0, shares.size())
                        .mapToObj(rank -> observed(rank, seconds.get(rank)))
                        .toList();
        List<SpeedFunction> models = models(observed);
        List<Integer> better = ofEqualTime(work, models);
        boolean isFaster = longest(models, better) < (1 - hysteresis) * longest(models, shares);
        return new Balance(isFaster ? better : shares, observed);
    }

    /**
     * Returns this state if all ranks have memory for their shares; else a state whose shares fit,
     * by the observed speeds.
     *
     * @param work the epoch whose samples are shared, with the memory bounds of the ranks
     */
    public Balance within(EpochWork work) {
        boolean fits =
                IntStream.range(0, shares.size())
                        .allMatch(rank -> shares.get(rank) <= work.capacity(rank));
        return fits ? this : new Balance(ofEqualTime(work, models(speeds)), speeds);
    }

    private static List<Integer> ofEqualTime(EpochWork work, List<SpeedFunction> models) {
        return Partitioner.functional(
                work, models, Partitioning.Solver.GEOMETRIC, Partitioning.ShareRounding.MINIMAX);
    }

    private double observed(int rank, double seconds) {
        return shares.get(rank) > 0 && seconds > 0 ? shares.get(rank) / seconds : speeds.get(rank);
    }

    /** Assumes the speed of the slowest observed rank for a rank that was never observed. */
    private static List<SpeedFunction> models(List<Double> speeds) {
        double slowest =
                speeds.stream()
                        .mapToDouble(Double::doubleValue)
                        .filter(it -> it > 0)
                        .min()
                        .orElse(1);
        List<SpeedFunction> models = new ArrayList<>();
        for (double speed : speeds) {
            models.add(SpeedFunction.constant(speed > 0 ? speed : slowest));
        }
        return models;
    }

    private static double longest(List<SpeedFunction> models, List<Integer> shares) {
        return IntStream.range(0, shares.size())
                .mapToDouble(rank -> models.get(rank).seconds(shares.get(rank)))
                .max()
                .orElseThrow();
    }
}
