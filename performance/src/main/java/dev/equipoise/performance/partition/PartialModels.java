package dev.equipoise.performance.partition;

import dev.equipoise.performance.partition.SpeedFunction.Point;
import dev.equipoise.protocol.Partitioning;
import java.util.List;
import java.util.stream.IntStream;

/*
 * Distributed functional partitioning (Lastovetsky, Reddy, Rychkov, Clarke 2011): a speed function
 * need not be known everywhere, only near the share that the rank gets in the end. Begin with equal
 * shares; measure everyone at its share; share anew by what is known so far; until the times at the
 * shares are the same.
 */

/** Partitioning by speed functions of which only what is needed is measured. */
public final class PartialModels {

    private PartialModels() {}

    /** What comes next. */
    public sealed interface Step {

        /**
         * These mini-batches are to be measured.
         *
         * @param sizes in rank order; 0 for who is known well enough
         */
        record Measure(List<Integer> sizes) implements Step {}

        /** Times at these shares are known and the same. */
        record Balanced(List<Integer> shares) implements Step {}
    }

    /**
     * Decides by what is known.
     *
     * @param points of each rank, in rank order: mini-batches and their times
     * @param tolerance the part of a mini-batch by which one that was measured may differ from it
     */
    public static Step next(Work work, List<List<Point>> points, double tolerance) {
        if (points.stream().anyMatch(List::isEmpty)) {
            int equal = (int) Math.max(1, Math.round(work.samplesOfRound() / work.ranks()));
            return new Step.Measure(points.stream().map(it -> it.isEmpty() ? equal : 0).toList());
        }
        List<SpeedFunction> models = points.stream().map(SpeedFunction::piecewise).toList();
        List<Integer> shares =
                Partitioner.functional(
                        work,
                        models,
                        Partitioning.Solver.GEOMETRIC,
                        Partitioning.Rounding.LARGEST_REMAINDER);
        List<Integer> sizes =
                shares.stream().map(share -> Math.round((float) share / work.rounds())).toList();
        List<Integer> unknown =
                IntStream.range(0, sizes.size())
                        .mapToObj(rank ->
                                isKnown(points.get(rank), sizes.get(rank), tolerance)
                                        ? 0
                                        : sizes.get(rank))
                        .toList();
        return unknown.stream().allMatch(it -> it == 0)
                ? new Step.Balanced(shares)
                : new Step.Measure(unknown);
    }

    private static boolean isKnown(List<Point> points, int size, double tolerance) {
        return points.stream().anyMatch(it -> Math.abs(it.size() - size) <= tolerance * size)
                || size == 0;
    }
}
