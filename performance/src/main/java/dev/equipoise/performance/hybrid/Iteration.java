package dev.equipoise.performance.hybrid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One pass over all samples, forward, backward and the update: how long it takes when samples and
 * hidden units are shared in some way.
 *
 * @param samples s of the whole pass
 * @param inGroup an all-reduce over the members of a group: k_NP and h_NP
 * @param overGroups an all-reduce over the groups: k_DP and h_DP
 */
public record Iteration(
        Perceptron perceptron,
        int samples,
        Costs costs,
        AllReduceCost inGroup,
        AllReduceCost overGroups,
        Formation formation) {

    public Iteration {
        if (samples < formation.dataParallel()) {
            throw new IllegalArgumentException(
                    "%d samples are too few for %d groups"
                            .formatted(samples, formation.dataParallel()));
        }
        if (perceptron.hidden() < formation.nodeParallel()) {
            throw new IllegalArgumentException(
                    "%d hidden units are too few for groups of %d"
                            .formatted(perceptron.hidden(), formation.nodeParallel()));
        }
    }

    /** With all-reduces of one kind. */
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

    /** Samples of each group that follow its slowest member: s_i, real. */
    double[] samplesOfGroups() {
        return IntStream.range(0, formation.dataParallel())
                .mapToDouble(i -> samples * formation.slowest(i) / formation.sumOfSlowest())
                .toArray();
    }

    /**
     * The longest any position takes: its group forward, the sum over the group, backward, and the
     * sum of gradients over all groups.
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

    /** Until the last member of a group has its part of the output: max_j M_j. */
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

    /** Two all-reduces, of the gradients of both layers. */
    double sumOverGroups(double units) {
        return overGroups.perNumber() * units * perceptron.weightsOfUnit() + 2 * overGroups.fixed();
    }

    /** What each rank does, in the order of the ranks. */
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

    /** As {@link #seconds(double[], double[])}, of whole shares. */
    double seconds(List<Integer> samples, List<Integer> units) {
        return seconds(reals(samples), reals(units));
    }

    /** How much of {@link #seconds(List, List)} are sums, on the path that takes longest. */
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
