package dev.equipoise.performance.partition;

import dev.equipoise.protocol.Partitioning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Computes the shares of ranks. */
public final class Partitioner {

    private Partitioner() {}

    /**
     * Computes shares that take equal time on all ranks. A rank without memory for its share gets
     * as much as fits, and the other ranks share the rest.
     *
     * @param speeds seconds of a training step over its mini-batch, in rank order
     * @return samples of an epoch in rank order, whose sum is that of the work
     */
    public static List<Integer> functional(
            EpochWork work,
            List<SpeedFunction> speeds,
            Partitioning.Solver solver,
            Partitioning.ShareRounding rounding) {
        double[] shares = bounded(work, speeds, solver);
        return switch (rounding) {
            case LARGEST_REMAINDER -> Rounding.largestRemainder(shares, work);
            case MINIMAX -> minimax(shares, work, speeds);
        };
    }

    /** Computes real shares of a round within the memory of the ranks. */
    private static double[] bounded(
            EpochWork work, List<SpeedFunction> speeds, Partitioning.Solver solver) {
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
        return shares;
    }

    private static List<Integer> minimax(
            double[] shares, EpochWork work, List<SpeedFunction> speeds) {
        return Rounding.minimax(
                shares,
                work,
                (rank, share) -> speeds.get(rank).seconds((double) share / work.rounds()));
    }

    private static double[] solve(
            Partitioning.Solver solver, List<SpeedFunction> speeds, double total) {
        return switch (solver) {
            case GEOMETRIC -> GeometricSolver.shares(speeds, total);
            case NUMERICAL -> NumericalSolver.shares(speeds, total);
        };
    }

    /** Computes shares in proportion to batch counts, by largest remainder. It needs no profile. */
    public static List<Integer> inProportion(int samples, List<Integer> counts) {
        return inProportion(samples, counts.stream().mapToDouble(Integer::doubleValue).toArray());
    }

    /**
     * Computes shares in proportion to real ones, by largest remainder.
     *
     * @param shares each at least 0, one of them greater
     */
    public static List<Integer> inProportion(int samples, double[] shares) {
        return Rounding.largestRemainder(shares, EpochWork.of(samples, 1, shares.length));
    }

    /**
     * Moves single units from the largest shares to those of 0.
     *
     * @param shares at least as many units as shares
     */
    public static List<Integer> withoutZeros(List<Integer> shares) {
        List<Integer> positive = new ArrayList<>(shares);
        for (int i = 0; i < positive.size(); i++) {
            if (positive.get(i) == 0) {
                int largest = positive.indexOf(Collections.max(positive));
                positive.set(largest, positive.get(largest) - 1);
                positive.set(i, 1);
            }
        }
        return List.copyOf(positive);
    }

    /** Computes equal shares, which need no profile. */
    public static List<Integer> equal(int samples, int ranks) {
        return inProportion(samples, Collections.nCopies(ranks, 1));
    }
}
