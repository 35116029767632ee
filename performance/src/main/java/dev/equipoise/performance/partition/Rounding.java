package dev.equipoise.performance.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.DoubleStream;

/**
 * Rounds real shares to whole ones without losing a unit, and to no more than there is room for.
 */
final class Rounding {

    /** Remainders that differ by less are equal but for how shares were computed. */
    private static final double SAME_REMAINDER = 1e-6;

    private Rounding() {}

    /**
     * Each share's floor, and the units left over to the largest remainders, ties by rank.
     *
     * @param shares at least 0, one of them more; in proportion, so their sum need not be the
     *     work's
     * @return whole shares, at least 0, whose sum is that of the work
     */
    static List<Integer> largestRemainder(double[] shares, Work work) {
        double[] exact = exact(shares, work.samples());
        return filled(
                exact, work, (rank, share) -> Math.rint((share - exact[rank]) / SAME_REMAINDER));
    }

    /**
     * Each share's floor, and every unit left over to the rank that is done with it first.
     *
     * @param shares as {@link #largestRemainder} takes them
     * @param seconds the time of a rank over its share
     */
    static List<Integer> minimax(
            double[] shares, Work work, ToDoubleBiFunction<Integer, Integer> seconds) {
        return filled(exact(shares, work.samples()), work, seconds);
    }

    private static double[] exact(double[] shares, int total) {
        double sum = DoubleStream.of(shares).sum();
        if (!(sum > 0 && sum < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the shares must sum to more than 0, not " + sum);
        }
        return DoubleStream.of(shares).map(share -> share / sum * total).toArray();
    }

    /** The floors, and each unit left over to whom it costs the least. */
    private static List<Integer> filled(
            double[] exact, Work work, ToDoubleBiFunction<Integer, Integer> cost) {
        List<Integer> whole = new ArrayList<>();
        for (int rank = 0; rank < exact.length; rank++) {
            whole.add(Math.min(work.room(rank), (int) Math.floor(exact[rank])));
        }
        PriorityQueue<Next> cheapest = new PriorityQueue<>();
        for (int rank = 0; rank < exact.length; rank++) {
            offer(cheapest, rank, whole, work, cost);
        }
        int left = work.samples() - whole.stream().mapToInt(Integer::intValue).sum();
        for (; left > 0; left--) {
            int rank = cheapest.remove().rank();
            whole.set(rank, whole.get(rank) + 1);
            offer(cheapest, rank, whole, work, cost);
        }
        return List.copyOf(whole);
    }

    /** A unit more for a rank; of equal costs the first rank's. */
    private record Next(double cost, int rank) implements Comparable<Next> {

        @Override
        public int compareTo(Next other) {
            int byCost = Double.compare(cost, other.cost);
            return byCost != 0 ? byCost : Integer.compare(rank, other.rank);
        }
    }

    private static void offer(
            PriorityQueue<Next> cheapest,
            int rank,
            List<Integer> whole,
            Work work,
            ToDoubleBiFunction<Integer, Integer> cost) {
        if (whole.get(rank) < work.room(rank)) {
            cheapest.add(new Next(cost.applyAsDouble(rank, whole.get(rank) + 1), rank));
        }
    }
}
