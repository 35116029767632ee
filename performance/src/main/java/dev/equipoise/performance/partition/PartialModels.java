package dev.equipoise.performance.partition;

import dev.equipoise.performance.partition.SpeedFunction.Point;
import dev.equipoise.protocol.Partitioning;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Data partitioning by partial FPMs (Lastovetsky, Reddy, Rychkov and Clarke 2011;
 * docs/algorithms.md, section 7): speed functions are measured only near the share that each rank
 * finally gets. All ranks are first measured at equal shares, then at the shares that follow from
 * the points so far, until each share is near a measured point.
 */
public final class PartialModels {

    private PartialModels() {}

    /** Next step of the partitioning. */
    public sealed interface Step {

        /**
         * The given mini-batches must be measured.
         *
         * @param ranks in rank order
         */
        record Measure(List<Mark> ranks) implements Step {

            public Measure {
                ranks = List.copyOf(ranks);
            }
        }

        /** The times at these shares are known and equal. */
        record Balanced(List<Integer> shares) implements Step {}
    }

    /**
     * Size of the mini-batch that a rank would get.
     *
     * @param isKnown whether a measured point is near enough
     */
    public record Mark(int size, boolean isKnown) {}

    /**
     * Decides the next step from the measured points.
     *
     * @param points mini-batch sizes and their times, by rank
     * @param tolerance relative distance within which a measured size stands for another one
     */
    public static Step next(EpochWork work, List<List<Point>> points, double tolerance) {
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
                        Partitioning.ShareRounding.LARGEST_REMAINDER);
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

    /** Measures a rank at one sample at least; a rank without samples needs no measurement. */
    private static Mark mark(List<Point> points, int size, double tolerance) {
        boolean isKnown =
                size == 0
                        || points.stream()
                                .anyMatch(it -> Math.abs(it.size() - size) <= tolerance * size);
        return new Mark(Math.max(1, size), isKnown);
    }
}
