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
         * Some mini-batches are to be measured.
         *
         * @param ranks in their order
         */
        record Measure(List<Mark> ranks) implements Step {

            public Measure {
                ranks = List.copyOf(ranks);
            }
        }

        /** Times at these shares are known and the same. */
        record Balanced(List<Integer> shares) implements Step {}
    }

    /**
     * A mini-batch near which a rank will end.
     *
     * @param isKnown whether its time is known well enough
     */
    public record Mark(int size, boolean isKnown) {}

    /**
     * Decides by what is known.
     *
     * @param points of each rank, in rank order: mini-batches and their times
     * @param tolerance the part of a mini-batch by which one that was measured may differ from it
     */
    public static Step next(Work work, List<List<Point>> points, double tolerance) {
        if (points.stream().anyMatch(List::isEmpty)) {
            int equal = (int) Math.max(1, Math.round(work.samplesOfRound() / work.ranks()));
            return new Step.Measure(
                    points.stream().map(it -> new Mark(equal, !it.isEmpty())).toList());
        }
        List<SpeedFunction> models = points.stream().map(SpeedFunction::piecewise).toList();
        List<Integer> shares =
                Partitioner.functional(
                        work,
                        models,
                        Partitioning.Solver.GEOMETRIC,
                        Partitioning.Rounding.LARGEST_REMAINDER);
        List<Mark> marks =
                IntStream.range(0, shares.size())
                        .mapToObj(rank ->
                                mark(
                                        points.get(rank),
                                        Math.round((float) shares.get(rank) / work.rounds()),
                                        tolerance))
                        .toList();
        return marks.stream().allMatch(Mark::isKnown)
                ? new Step.Balanced(shares)
                : new Step.Measure(marks);
    }

    /** Who gets next to nothing is measured at one sample, if at all. */
    private static Mark mark(List<Point> points, int size, double tolerance) {
        boolean isKnown =
                size == 0
                        || points.stream()
                                .anyMatch(it -> Math.abs(it.size() - size) <= tolerance * size);
        return new Mark(Math.max(1, size), isKnown);
    }
}
