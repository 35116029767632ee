package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.AccuracyHistory;
import dev.equipoise.app.prediction.AccuracyHistory.AccuracyPoint;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The number of epochs in which comparable completed runs reached a test accuracy.
 *
 * @param epochs median over the runs that reached it
 * @param leastEpochs least over them
 * @param mostEpochs greatest over them
 * @param runs number of runs that reached it
 * @param missed number of runs that did not
 * @param replicas number of their replicas: that of the configuration, else the closest one
 */
@Schema(name = "Plan.Learning")
record EpochsToAccuracy(
        double epochs, int leastEpochs, int mostEpochs, int runs, int missed, int replicas) {

    /** Number of evaluations in the running mean (docs/algorithms.md, section 10). */
    private static final int WINDOW = 3;

    /**
     * Computes the epochs to accuracy from runs with the same data, network, training and
     * synchronization method. The algorithm of an all-reduce does not matter, as it computes the
     * same sum.
     *
     * @return empty if there are no comparable runs, or fewer than half of them reached the target
     */
    static Optional<EpochsToAccuracy> of(
            RunConfiguration wanted, List<AccuracyHistory> runs, double target) {
        List<AccuracyHistory> comparable =
                runs.stream().filter(it -> isComparable(wanted, it.configuration())).toList();
        Optional<Integer> nearest = nearestReplicas(wanted, comparable);
        return nearest.flatMap(replicas ->
                of(
                        comparable.stream()
                                .filter(it -> it.configuration().workers().replicas() == replicas)
                                .toList(),
                        target,
                        replicas));
    }

    private static Optional<Integer> nearestReplicas(
            RunConfiguration wanted, List<AccuracyHistory> runs) {
        return runs.stream()
                .map(it -> it.configuration().workers().replicas())
                .min(
                        Comparator.<Integer>comparingInt(
                                        it -> Math.abs(it - wanted.workers().replicas()))
                                .thenComparingInt(it -> it));
    }

    private static Optional<EpochsToAccuracy> of(
            List<AccuracyHistory> runs, double target, int replicas) {
        List<Integer> epochs =
                runs.stream()
                        .flatMapToInt(it -> reaching(it.points(), target).stream())
                        .sorted()
                        .boxed()
                        .toList();
        int missed = runs.size() - epochs.size();
        if (epochs.isEmpty() || missed > epochs.size()) {
            return Optional.empty();
        }
        double median = (epochs.get((epochs.size() - 1) / 2) + epochs.get(epochs.size() / 2)) / 2.0;
        return Optional.of(
                new EpochsToAccuracy(
                        median,
                        epochs.getFirst(),
                        epochs.getLast(),
                        epochs.size(),
                        missed,
                        replicas));
    }

    /** The first epoch at which the running mean of the accuracy is at least the target. */
    private static OptionalInt reaching(List<AccuracyPoint> points, double target) {
        for (int last = 0; last < points.size(); last++) {
            double mean =
                    points.subList(Math.max(0, last + 1 - WINDOW), last + 1).stream()
                            .mapToDouble(AccuracyPoint::accuracy)
                            .average()
                            .orElseThrow();
            if (mean >= target) {
                return OptionalInt.of(points.get(last).epoch());
            }
        }
        return OptionalInt.empty();
    }

    private static boolean isComparable(RunConfiguration one, RunConfiguration other) {
        return one.dataset().equals(other.dataset())
                && one.network().equals(other.network())
                && one.training().batchSize() == other.training().batchSize()
                && one.training().loss().equals(other.training().loss())
                && one.training().optimizer().equals(other.training().optimizer())
                && sameSum(one.method()).equals(sameSum(other.method()));
    }

    /** Returns the method without what only changes the order of additions. */
    private static Method sameSum(Method method) {
        return new Method(
                method.synchronization() instanceof Synchronization.Bsp
                        ? new Synchronization.Bsp()
                        : method.synchronization(),
                method.topology() instanceof Topology.AllReduce
                        ? Topology.AllReduce.by(Topology.Algorithm.RING)
                        : method.topology(),
                method.compression());
    }
}
