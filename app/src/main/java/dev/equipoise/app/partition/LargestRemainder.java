package dev.equipoise.app.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Rounds real shares to whole ones without losing a unit. */
final class LargestRemainder {

    private LargestRemainder() {}

    /**
     * Each share's floor, and the units left over to the largest remainders, ties by rank.
     *
     * @param shares at least 0, one of them more; in proportion, so their sum need not be the total
     * @return whole shares, at least 0, whose sum is {@code total}
     */
    static List<Integer> round(double[] shares, int total) {
        double sum = DoubleStream.of(shares).sum();
        if (!(sum > 0)) {
            throw new IllegalArgumentException("the shares must sum to more than 0, not " + sum);
        }
        double[] exact = DoubleStream.of(shares).map(share -> share / sum * total).toArray();
        List<Integer> whole = new ArrayList<>();
        for (double share : exact) {
            whole.add((int) Math.floor(share));
        }
        int left = total - whole.stream().mapToInt(Integer::intValue).sum();
        IntStream.range(0, exact.length)
                .boxed()
                .sorted(
                        Comparator.comparingDouble(
                                (Integer rank) -> Math.floor(exact[rank]) - exact[rank]))
                .limit(left)
                .forEach(rank -> whole.set(rank, whole.get(rank) + 1));
        return List.copyOf(whole);
    }
}
