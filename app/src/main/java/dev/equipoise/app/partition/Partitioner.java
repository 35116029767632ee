package dev.equipoise.app.partition;

import dev.equipoise.protocol.Partitioning;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Computes who gets how many samples. */
public final class Partitioner {

    private Partitioner() {}

    /**
     * The shares of an epoch of {@code rounds} equal rounds, where a rank with the share n trains
     * on n / rounds samples a round.
     *
     * @param speeds time of a training step over its mini-batch, in rank order
     * @return samples an epoch in rank order; their sum is {@code samples}
     */
    public static List<Integer> shares(
            Partitioning partitioning, int samples, int rounds, List<SpeedFunction> speeds) {
        return switch (partitioning) {
            case Partitioning.Equal _ -> equal(samples, speeds.size());
            case Partitioning.Functional _ -> {
                List<DoubleUnaryOperator> times =
                        speeds.stream()
                                .map(speed ->
                                        (DoubleUnaryOperator)
                                                share -> rounds * speed.seconds(share / rounds))
                                .toList();
                yield LargestRemainder.round(GeometricPartitioner.shares(times, samples), samples);
            }
        };
    }

    /** The same for everyone, which needs no profile. */
    public static List<Integer> equal(int samples, int ranks) {
        double[] same = new double[ranks];
        Arrays.fill(same, 1);
        return LargestRemainder.round(same, samples);
    }
}
