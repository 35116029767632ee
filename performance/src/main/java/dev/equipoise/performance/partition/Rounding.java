package dev.equipoise.performance.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.DoubleStream;

/**
 * Rounds real shares to whole ones that keep the total and the memory bounds (docs/algorithms.md,
 * section 7).
 */
final class Rounding {

    /** Remainders that differ by less count as equal: the difference is rounding error. */
    private static final double SAME_REMAINDER = 1e-6;

    private Rounding() {}

    /**
     * Rounds shares down and gives the rest to the largest remainders, ties in rank order.
     *
     * @param shares each at least 0, one of them greater; only their proportion counts
     * @return whole shares, at least 0, whose sum is that of the work
     */
    static List<Integer> largestRemainder(double[] shares, EpochWork work) {
        double[] exact = exact(shares, work.samples());
        return filled(
                exact, work, (rank, share) -> Math.rint((share - exact[rank]) / SAME_REMAINDER));
    }

    /**
     * Rounds shares down and gives each left-over sample to the rank whose time it lengthens least.
     *
     * @param shares as for {@link #largestRemainder}
     * @param seconds the time of a rank over its share
     */
    static List<Integer> minimax(
            double[] shares, EpochWork work, ToDoubleBiFunction<Integer, Integer> seconds) {
        return filled(exact(shares, work.samples()), work, seconds);
    }

    private static double[] exact(double[] shares, int total) {
        double sum = DoubleStream.of(shares).sum();
        if (!(sum > 0 && sum < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "the shares sum to %s: more than 0 and finite".formatted(sum));
        }
        return DoubleStream.of(shares).map(share -> share / sum * total).toArray();
    }

    /** Rounds down and gives each left-over unit to the rank with the lowest cost. */
    private static List<Integer> filled(
            double[] exact, EpochWork work, ToDoubleBiFunction<Integer, Integer> cost) {
        List<Integer> whole = roundedDown(exact, work);
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

    private static List<Integer> roundedDown(double[] exact, EpochWork work) {
        List<Integer> whole = new ArrayList<>();
        for (int rank = 0; rank < exact.length; rank++) {
            whole.add(Math.min(work.capacity(rank), (int) Math.floor(exact[rank])));
        }
        return whole;
    }

    /** One more unit for a rank, ordered by cost, then by rank. */
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
            EpochWork work,
            ToDoubleBiFunction<Integer, Integer> cost) {
        if (whole.get(rank) < work.capacity(rank)) {
            cheapest.add(new Next(cost.applyAsDouble(rank, whole.get(rank) + 1), rank));
        }
    }
}
