package dev.equipoise.performance.hybrid;

import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.protocol.Partitioning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Shares of an iteration in whole samples and whole hidden units.
 *
 * @param samples of each group
 * @param units of each position
 * @param seconds predicted time of the iteration
 * @param sumSeconds part of that in all-reduces, within groups and over groups
 * @param parts of each rank, in rank order
 */
public record HybridShares(
        Formation formation,
        List<Integer> samples,
        List<Integer> units,
        double seconds,
        double sumSeconds,
        List<Part> parts) {

    /**
     * Predicted seconds of a rank in the iteration; it waits for the rest of the time.
     *
     * @param sumSeconds all-reduces within its group and over the groups
     */
    public record Part(int rank, double computeSeconds, double sumSeconds) {}

    public HybridShares {
        samples = List.copyOf(samples);
        units = List.copyOf(units);
        parts = List.copyOf(parts);
    }

    /** Computes the shares of an iteration with a given group formation. */
    static HybridShares of(Iteration it, Partitioning.HybridSolver solver) {
        double[] real =
                solver == Partitioning.HybridSolver.EQUAL
                        ? equal(it.formation().dataParallel())
                        : it.samplesOfGroups();
        List<Integer> samples = atLeastOne(Partitioner.inProportion(it.samples(), real));
        List<Integer> units =
                switch (solver) {
                    case CLOSED_FORM -> HiddenUnits.whole(it, samples, HiddenUnits.closedForm(it));
                    case LINEAR_PROGRAM ->
                            HiddenUnits.whole(
                                    it, samples, HiddenUnits.linearProgram(it, reals(samples)));
                    case EQUAL ->
                            Partitioner.equal(
                                    it.perceptron().hidden(), it.formation().nodeParallel());
                };
        return new HybridShares(
                it.formation(),
                samples,
                units,
                it.seconds(samples, units),
                it.sumSeconds(samples, units),
                it.parts(samples, units));
    }

    /**
     * Computes the shares of every group formation, the fastest first.
     *
     * @param capabilities of the processors, in rank order
     */
    public static List<HybridShares> ofAllFormations(
            Perceptron perceptron,
            int samples,
            Costs costs,
            AllReduceModel allReduce,
            List<Double> capabilities,
            Partitioning.HybridSolver solver) {
        int processors = capabilities.size();
        return IntStream.rangeClosed(1, processors)
                .filter(groups -> processors % groups == 0)
                .filter(groups -> groups <= samples && processors / groups <= perceptron.hidden())
                .mapToObj(groups ->
                        of(
                                Iteration.of(
                                        perceptron,
                                        samples,
                                        costs,
                                        allReduce,
                                        Formation.of(capabilities, groups)),
                                solver))
                .sorted(Comparator.comparingDouble(HybridShares::seconds))
                .toList();
    }

    private static double[] equal(int groups) {
        double[] same = new double[groups];
        Arrays.fill(same, 1);
        return same;
    }

    private static double[] reals(List<Integer> whole) {
        return whole.stream().mapToDouble(Integer::doubleValue).toArray();
    }

    /** Raises each share of 0 to 1, taking the unit from the largest share. */
    static List<Integer> atLeastOne(List<Integer> shares) {
        List<Integer> given = new ArrayList<>(shares);
        for (int j = 0; j < given.size(); j++) {
            if (given.get(j) == 0) {
                given.set(j, 1);
                int largest = given.indexOf(Collections.max(given));
                given.set(largest, given.get(largest) - 1);
            }
        }
        return List.copyOf(given);
    }
}
