package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Learned;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Topology;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How many epochs earlier runs have taken to a test accuracy.
 *
 * @param epochs their median
 * @param runs how many of them reached it
 * @param missed how many of them did not
 * @param replicas that they had; those asked for, or else the nearest number
 */
@Schema(name = "Plan.Learning")
record Learning(double epochs, int runs, int missed, int replicas) {

    /** How many looks at the test set a running mean is over (ALGORITHMS section 10). */
    private static final int LOOKS = 3;

    /**
     * By runs of the same data, network and training that agree in the same way; the algorithm of
     * an all-reduce changes nothing in what is learnt.
     *
     * @return empty where none of them is known, or not even half of them has reached the target
     */
    static Optional<Learning> of(RunConfiguration wanted, List<Learned> runs, double target) {
        List<Learned> alike =
                runs.stream().filter(it -> isAlike(wanted, it.configuration())).toList();
        Optional<Integer> nearest =
                alike.stream()
                        .map(it -> it.configuration().workers().replicas())
                        .min(
                                Comparator.<Integer>comparingInt(
                                                it -> Math.abs(it - wanted.workers().replicas()))
                                        .thenComparingInt(it -> it));
        return nearest.flatMap(replicas ->
                of(
                        alike.stream()
                                .filter(it -> it.configuration().workers().replicas() == replicas)
                                .toList(),
                        target,
                        replicas));
    }

    private static Optional<Learning> of(List<Learned> runs, double target, int replicas) {
        List<Integer> epochs = new ArrayList<>();
        for (Learned run : runs) {
            OptionalInt reached = reaching(run.looks(), target);
            if (reached.isPresent()) {
                epochs.add(reached.getAsInt());
            }
        }
        int missed = runs.size() - epochs.size();
        if (epochs.isEmpty() || missed > epochs.size()) {
            return Optional.empty();
        }
        List<Integer> sorted = epochs.stream().sorted().toList();
        double median = (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2.0;
        return Optional.of(new Learning(median, epochs.size(), missed, replicas));
    }

    /** The first epoch at which the running mean of what was seen is the target or more. */
    private static OptionalInt reaching(List<Learned.Look> looks, double target) {
        for (int last = 0; last < looks.size(); last++) {
            double mean =
                    looks.subList(Math.max(0, last + 1 - LOOKS), last + 1).stream()
                            .mapToDouble(Learned.Look::accuracy)
                            .average()
                            .orElseThrow();
            if (mean >= target) {
                return OptionalInt.of(looks.get(last).epoch());
            }
        }
        return OptionalInt.empty();
    }

    private static boolean isAlike(RunConfiguration one, RunConfiguration other) {
        return one.dataset().equals(other.dataset())
                && one.network().equals(other.network())
                && one.training().batchSize() == other.training().batchSize()
                && one.training().loss().equals(other.training().loss())
                && one.training().optimizer().equals(other.training().optimizer())
                && agreeing(one.method()).equals(agreeing(other.method()));
    }

    private static Method agreeing(Method method) {
        return method.topology() instanceof Topology.AllReduce
                ? new Method(
                        method.synchronization(),
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        method.compression())
                : method;
    }
}
