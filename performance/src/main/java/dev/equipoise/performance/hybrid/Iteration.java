package dev.equipoise.performance.hybrid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One iteration, forward, backward and update, with given samples and a group formation; predicts
 * its time (docs/algorithms.md, section 8).
 *
 * @param samples s, of all groups
 * @param inGroup all-reduce over the members of a group: k_NP and h_NP
 * @param overGroups all-reduce over the groups: k_DP and h_DP
 */
record Iteration(
        Perceptron perceptron,
        int samples,
        Costs costs,
        AllReduceCost inGroup,
        AllReduceCost overGroups,
        Formation formation) {

    public Iteration {
        if (samples < formation.dataParallel()) {
            throw new IllegalArgumentException(
                    "%d samples are too few for %d groups: at least one a group"
                            .formatted(samples, formation.dataParallel()));
        }
        if (perceptron.hidden() < formation.nodeParallel()) {
            throw new IllegalArgumentException(
                    "%d hidden units are too few for groups of %d: at least one a member"
                            .formatted(perceptron.hidden(), formation.nodeParallel()));
        }
    }

    /** Creates an iteration whose all-reduces follow one cost model. */
    public static Iteration of(
            Perceptron perceptron,
            int samples,
            Costs costs,
            AllReduceModel allReduce,
            Formation formation) {
        return new Iteration(
                perceptron,
                samples,
                costs,
                allReduce.over(formation.nodeParallel()),
                allReduce.over(formation.dataParallel()),
                formation);
    }

    /** Real samples s_i of each group, in proportion to the capability of its slowest member. */
    double[] samplesOfGroups() {
        return IntStream.range(0, formation.dataParallel())
                .mapToDouble(i -> samples * formation.slowest(i) / formation.sumOfSlowest())
                .toArray();
    }

    /**
     * Predicts the iteration: the longest time of any position, which is its group's forward pass,
     * the sum over the group, the backward pass and the sum of gradients over the groups.
     *
     * @param samples s_i of each group
     * @param units m_j of each position
     */
    double seconds(double[] samples, double[] units) {
        return IntStream.range(0, formation.nodeParallel())
                .mapToDouble(j -> seconds(j, samples, units))
                .max()
                .orElseThrow();
    }

    double seconds(int position, double[] samples, double[] units) {
        return IntStream.range(0, formation.dataParallel())
                        .mapToDouble(i ->
                                forward(i, samples[i], units)
                                        + sumInGroup(samples[i])
                                        + backward(i, position, samples[i], units[position]))
                        .max()
                        .orElseThrow()
                + sumOverGroups(units[position]);
    }

    /** Seconds until all members of a group have their part of the output: max_j M_j. */
    private double forward(int group, double samples, double[] units) {
        return IntStream.range(0, units.length)
                .mapToDouble(j -> forwardOfUnit(group, j, samples) * units[j])
                .max()
                .orElseThrow();
    }

    double forwardOfUnit(int group, int position, double samples) {
        return samples
                / formation.capability(group, position)
                * (costs.multiplyAdd() * perceptron.weightsOfUnit() + costs.sigmoid());
    }

    private double backward(int group, int position, double samples, double units) {
        return backwardAlways(group, position, samples)
                + backwardOfUnit(group, position, samples) * units;
    }

    double backwardAlways(int group, int position, double samples) {
        return samples
                / formation.capability(group, position)
                * perceptron.outputs()
                * (2 * costs.multiplyAdd() + costs.sigmoid());
    }

    double backwardOfUnit(int group, int position, double samples) {
        return samples
                / formation.capability(group, position)
                * costs.multiplyAdd()
                * (1 + 2 * perceptron.outputs() + perceptron.inputs());
    }

    double sumInGroup(double samples) {
        return inGroup.seconds(perceptron.outputs() * samples);
    }

    /** Seconds of two all-reduces, for the gradients of both layers. */
    double sumOverGroups(double units) {
        return overGroups.perNumber() * units * perceptron.weightsOfUnit() + 2 * overGroups.fixed();
    }

    /** Predicts the part of each rank, in rank order. */
    List<HybridShares.Part> parts(List<Integer> samples, List<Integer> units) {
        List<HybridShares.Part> parts = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            for (int j = 0; j < units.size(); j++) {
                parts.add(
                        new HybridShares.Part(
                                formation.groups().get(i).get(j).rank(),
                                forwardOfUnit(i, j, samples.get(i)) * units.get(j)
                                        + backward(i, j, samples.get(i), units.get(j)),
                                sumInGroup(samples.get(i)) + sumOverGroups(units.get(j))));
            }
        }
        parts.sort(Comparator.comparingInt(HybridShares.Part::rank));
        return List.copyOf(parts);
    }

    /** Returns {@link #seconds(double[], double[])} for whole shares. */
    double seconds(List<Integer> samples, List<Integer> units) {
        return seconds(reals(samples), reals(units));
    }

    /** Seconds of all-reduces on the critical path of {@link #seconds(List, List)}. */
    double sumSeconds(List<Integer> samples, List<Integer> units) {
        double[] ofGroups = reals(samples);
        double[] ofPositions = reals(units);
        double longest = 0;
        double sums = 0;
        for (int i = 0; i < ofGroups.length; i++) {
            for (int j = 0; j < ofPositions.length; j++) {
                double inSums = sumInGroup(ofGroups[i]) + sumOverGroups(ofPositions[j]);
                double seconds =
                        forward(i, ofGroups[i], ofPositions)
                                + backward(i, j, ofGroups[i], ofPositions[j])
                                + inSums;
                if (seconds > longest) {
                    longest = seconds;
                    sums = inSums;
                }
            }
        }
        return sums;
    }

    private static double[] reals(List<Integer> whole) {
        return whole.stream().mapToDouble(Integer::doubleValue).toArray();
    }
}
