package dev.equipoise.performance.partition;

import dev.equipoise.protocol.Partitioning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who takes how much, and how fast each was the last time that it did anything: what dynamic
 * balancing knows between two epochs (FuPerMod's, with the application's own times).
 *
 * @param shares samples of an epoch, in rank order
 * @param speeds samples a second in rank order; 0 where nothing was ever observed
 */
public record Balance(List<Integer> shares, List<Double> speeds) {

    public Balance {
        shares = List.copyOf(shares);
        speeds = List.copyOf(speeds);
    }

    /** Of a run that begins, of which nothing is observed yet. */
    public static Balance of(List<Integer> shares) {
        return new Balance(shares, Collections.nCopies(shares.size(), 0.0));
    }

    /**
     * After an epoch.
     *
     * @param work whose samples are shared
     * @param seconds that each rank has computed; not looked at where a rank had nothing to do
     * @param hysteresis the part by which the longest time must become shorter, or shares stay
     */
    public Balance after(Work work, List<Double> seconds, double hysteresis) {
        List<Double> observed =
                IntStream.range(0, shares.size())
                        .mapToObj(rank -> observed(rank, seconds.get(rank)))
                        .toList();
        List<SpeedFunction> models = models(observed);
        List<Integer> better =
                Partitioner.functional(
                        work, models, Partitioning.Solver.GEOMETRIC, Partitioning.Rounding.MINIMAX);
        boolean isWorthIt = longest(models, better) < (1 - hysteresis) * longest(models, shares);
        return new Balance(isWorthIt ? better : shares, observed);
    }

    private double observed(int rank, double seconds) {
        return shares.get(rank) > 0 && seconds > 0 ? shares.get(rank) / seconds : speeds.get(rank);
    }

    /** Who was never seen computing is taken for as fast as the slowest. */
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
