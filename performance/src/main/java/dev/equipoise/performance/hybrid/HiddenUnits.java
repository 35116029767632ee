package dev.equipoise.performance.hybrid;

import dev.equipoise.performance.partition.Partitioner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/** Computes the hidden units m_j of each group position (docs/algorithms.md, section 8). */
final class HiddenUnits {

    private HiddenUnits() {}

    /**
     * Closed form in which all positions finish at the same time: {@code m_j = B1_j + B2_j m_1}. It
     * is exact for one group; for more it assumes that the same group is last at every position.
     *
     * @return real shares by position; 0 where the share would be negative
     */
    static double[] closedForm(Iteration it) {
        int positions = it.formation().nodeParallel();
        double[] constant = new double[positions];
        double[] factor = new double[positions];
        for (int j = 0; j < positions; j++) {
            constant[j] = b1(it, j);
            factor[j] = b2(it, j);
        }
        double first =
                (it.perceptron().hidden() - DoubleStream.of(constant).sum())
                        / DoubleStream.of(factor).sum();
        return IntStream.range(0, positions)
                .mapToDouble(j -> Math.max(0, constant[j] + factor[j] * first))
                .toArray();
    }

    private static double b1(Iteration it, int position) {
        return it.samples()
                * it.perceptron().outputs()
                * (1 - rho(it, position))
                * (2 * it.costs().multiplyAdd() + it.costs().sigmoid())
                / (sums(it) + units(it) * rho(it, position));
    }

    private static double b2(Iteration it, int position) {
        return (sums(it) + units(it)) / (sums(it) + units(it) * rho(it, position));
    }

    /** A k_DP (n + l). */
    private static double sums(Iteration it) {
        return it.formation().sumOfSlowest()
                * it.overGroups().perNumber()
                * it.perceptron().weightsOfUnit();
    }

    /** c (1 + 2 l + n) s. */
    private static double units(Iteration it) {
        return it.costs().multiplyAdd()
                * (1 + 2 * it.perceptron().outputs() + it.perceptron().inputs())
                * it.samples();
    }

    /**
     * rho_j: the largest ratio, over the groups, of the capability of the slowest member to that of
     * the member at the position.
     */
    private static double rho(Iteration it, int position) {
        return IntStream.range(0, it.formation().dataParallel())
                .mapToDouble(
                        i -> it.formation().slowest(i) / it.formation().capability(i, position))
                .max()
                .orElseThrow();
    }

    /**
     * Linear program that minimizes the time of the iteration, exact for any number of groups.
     * Variables are m_j, the end U_i of each group's forward pass, and T, which no position
     * exceeds.
     *
     * @param samples s_i of each group
     * @return real shares by position
     */
    static double[] linearProgram(Iteration it, double[] samples) {
        var model = new ExpressionsBasedModel();
        int positions = it.formation().nodeParallel();
        List<Variable> units = new ArrayList<>();
        for (int j = 0; j < positions; j++) {
            units.add(model.newVariable("m" + j).lower(0));
        }
        Variable time = model.newVariable("T").lower(0).weight(1);
        Expression all = model.newExpression("all units").level(it.perceptron().hidden());
        units.forEach(unit -> all.set(unit, 1));
        for (int i = 0; i < samples.length; i++) {
            Variable forward = model.newVariable("U" + i).lower(0);
            for (int j = 0; j < positions; j++) {
                model.newExpression("forward %d %d".formatted(i, j))
                        .lower(0)
                        .set(forward, 1)
                        .set(units.get(j), -it.forwardOfUnit(i, j, samples[i]));
                model.newExpression("end %d %d".formatted(i, j))
                        .lower(afterForward(it, i, j, samples[i]))
                        .set(time, 1)
                        .set(forward, -1)
                        .set(units.get(j), -afterForwardOfUnit(it, i, j, samples[i]));
            }
        }
        Optimisation.Result result = model.minimise();
        if (!result.getState().isOptimal()) {
            throw new IllegalStateException(
                    "the linear program of %s has no optimum: %s".formatted(it, result.getState()));
        }
        return IntStream.range(0, positions).mapToDouble(j -> result.doubleValue(j)).toArray();
    }

    /** Seconds from the end of a group's forward pass to the end of a member without units. */
    private static double afterForward(Iteration it, int group, int position, double samples) {
        return it.sumInGroup(samples)
                + it.backwardAlways(group, position, samples)
                + it.sumOverGroups(0);
    }

    private static double afterForwardOfUnit(
            Iteration it, int group, int position, double samples) {
        return it.backwardOfUnit(group, position, samples)
                + it.sumOverGroups(1)
                - it.sumOverGroups(0);
    }

    /**
     * Rounds to whole units by largest remainder, then moves single units between positions as long
     * as that shortens the iteration. Every position keeps at least one unit.
     *
     * @param units real shares, none negative
     */
    static List<Integer> whole(Iteration it, List<Integer> samples, double[] units) {
        List<Integer> whole =
                HybridShares.atLeastOne(Partitioner.inProportion(it.perceptron().hidden(), units));
        double seconds = it.seconds(samples, whole);
        for (Optional<List<Integer>> next = shorter(it, samples, whole, seconds);
                next.isPresent();
                next = shorter(it, samples, whole, seconds)) {
            whole = next.get();
            seconds = it.seconds(samples, whole);
        }
        return whole;
    }

    /** Returns the single move that shortens the iteration most; empty if none does. */
    private static Optional<List<Integer>> shorter(
            Iteration it, List<Integer> samples, List<Integer> units, double seconds) {
        return IntStream.range(0, units.size())
                .filter(from -> units.get(from) > 1)
                .boxed()
                .flatMap(from ->
                        IntStream.range(0, units.size())
                                .filter(to -> to != from)
                                .mapToObj(to -> moved(units, from, to)))
                .filter(moved -> it.seconds(samples, moved) < seconds)
                .min(Comparator.comparingDouble(moved -> it.seconds(samples, moved)));
    }

    private static List<Integer> moved(List<Integer> units, int from, int to) {
        List<Integer> moved = new ArrayList<>(units);
        moved.set(from, moved.get(from) - 1);
        moved.set(to, moved.get(to) + 1);
        return List.copyOf(moved);
    }
}
