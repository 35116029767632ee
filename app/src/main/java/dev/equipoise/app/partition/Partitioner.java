package dev.equipoise.app.partition;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Computes who gets how many samples. */
public final class Partitioner {

    private Partitioner() {}

    /**
     * Shares of an epoch of {@code rounds} equal rounds that take all the same time, where a rank
     * with the share n trains on n / rounds samples a round.
     *
     * @param speeds time of a training step over its mini-batch, in rank order
     * @return samples an epoch in rank order; their sum is {@code samples}
     */
    public static List<Integer> functional(int samples, int rounds, List<SpeedFunction> speeds) {
        List<DoubleUnaryOperator> times =
                speeds.stream()
                        .map(speed ->
                                (DoubleUnaryOperator)
                                        share -> rounds * speed.seconds(share / rounds))
                        .toList();
        return LargestRemainder.round(GeometricPartitioner.shares(times, samples), samples);
    }

    /** As many for each as its count has it, which needs no profile. */
    public static List<Integer> inProportion(int samples, List<Integer> counts) {
        return LargestRemainder.round(
                counts.stream().mapToDouble(Integer::doubleValue).toArray(), samples);
    }

    /** The same for everyone, which needs no profile. */
    public static List<Integer> equal(int samples, int ranks) {
        double[] same = new double[ranks];
        Arrays.fill(same, 1);
        return LargestRemainder.round(same, samples);
    }
}
