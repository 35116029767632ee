package dev.equipoise.performance.partition;

import dev.equipoise.protocol.Partitioning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Computes who gets how many samples. */
public final class Partitioner {

    private Partitioner() {}

    /**
     * Shares that take all the same time; a rank that has not the room for that is full, and the
     * others share the rest.
     *
     * @param speeds time of a training step over its mini-batch, in rank order
     * @return samples an epoch in rank order; their sum is that of the work
     */
    public static List<Integer> functional(
            Work work,
            List<SpeedFunction> speeds,
            Partitioning.Solver solver,
            Partitioning.Rounding rounding) {
        double[] shares = new double[speeds.size()];
        List<Integer> open = new ArrayList<>(IntStream.range(0, speeds.size()).boxed().toList());
        double left = work.samplesOfRound();
        while (!open.isEmpty() && left > 0) {
            double[] ofOpen = solve(solver, open.stream().map(speeds::get).toList(), left);
            List<Integer> full = new ArrayList<>();
            for (int i = 0; i < ofOpen.length; i++) {
                int rank = open.get(i);
                shares[rank] = Math.min(ofOpen[i], work.most().get(rank));
                if (ofOpen[i] >= work.most().get(rank)) {
                    full.add(rank);
                }
            }
            if (full.isEmpty()) {
                break;
            }
            open.removeAll(full);
            left -= full.stream().mapToDouble(work.most()::get).sum();
        }
        return switch (rounding) {
            case LARGEST_REMAINDER -> Rounding.largestRemainder(shares, work);
            case MINIMAX ->
                    Rounding.minimax(
                            shares,
                            work,
                            (rank, share) ->
                                    speeds.get(rank).seconds((double) share / work.rounds()));
        };
    }

    private static double[] solve(
            Partitioning.Solver solver, List<SpeedFunction> speeds, double total) {
        return switch (solver) {
            case GEOMETRIC -> GeometricSolver.shares(speeds, total);
            case NUMERICAL -> NumericalSolver.shares(speeds, total);
        };
    }

    /** As many for each as its count has it, which needs no profile. */
    public static List<Integer> inProportion(int samples, List<Integer> counts) {
        return inProportion(samples, counts.stream().mapToDouble(Integer::doubleValue).toArray());
    }

    /**
     * In proportion to real shares, by largest remainder.
     *
     * @param shares at least 0, one of them more
     */
    public static List<Integer> inProportion(int samples, double[] shares) {
        return Rounding.largestRemainder(shares, Work.of(samples, 1, shares.length));
    }

    /** The same for everyone, which needs no profile. */
    public static List<Integer> equal(int samples, int ranks) {
        return inProportion(samples, Collections.nCopies(ranks, 1));
    }
}
