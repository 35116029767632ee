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

/** How many hidden units each position of the groups has: m_j. */
final class HiddenUnits {

    private HiddenUnits() {}

    /**
     * All positions done at the same time: {@code m_j = B1_j + B2_j m_1}. Exact for one group; for
     * more as good as the assumption that the same group is the last at every position.
     *
     * @return real shares by position; a position that could not even do its constant part in time
     *     has none
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

    /** How much the slowest of the groups at a position is ahead of its group's slowest member. */
    private static double rho(Iteration it, int position) {
        return IntStream.range(0, it.formation().dataParallel())
                .mapToDouble(
                        i -> it.formation().slowest(i) / it.formation().capability(i, position))
                .max()
                .orElseThrow();
    }

    /**
     * The shares of the shortest time there is, by linear program: variables m_j, the end U_i of
     * each group's forward pass, and T, which is the least that no position exceeds.
     *
     * @param samples s_i of each group
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
                double perUnit =
                        it.backwardOfUnit(i, j, samples[i])
                                + it.sumOverGroups(1)
                                - it.sumOverGroups(0);
                double always =
                        it.sumInGroup(samples[i])
                                + it.backwardAlways(i, j, samples[i])
                                + it.sumOverGroups(0);
                model.newExpression("end %d %d".formatted(i, j))
                        .lower(always)
                        .set(time, 1)
                        .set(forward, -1)
                        .set(units.get(j), -perUnit);
            }
        }
        Optimisation.Result result = model.minimise();
        if (!result.getState().isOptimal()) {
            throw new IllegalStateException(
                    "the linear program of %s ended as %s".formatted(it, result.getState()));
        }
        return IntStream.range(0, positions).mapToDouble(j -> result.doubleValue(j)).toArray();
    }

    /**
     * Whole units: the largest remainders, then single units from one position to another, as long
     * as that makes the iteration shorter. Every position keeps one at least.
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

    /** The best single move, where one helps. */
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
