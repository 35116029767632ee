package dev.equipoise.app.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GeometricPartitionerTest {

    private static final int SAMPLES = 60_000;

    private static void assertEqualTimes(
            List<DoubleUnaryOperator> times, double[] shares, int total) {
        double[] seconds =
                IntStream.range(0, shares.length)
                        .mapToDouble(rank -> times.get(rank).applyAsDouble(shares[rank]))
                        .toArray();
        double longest = DoubleStream.of(seconds).max().orElseThrow();
        assertThat(DoubleStream.of(seconds).boxed().toList())
                .allSatisfy(it -> assertThat(it).isEqualTo(longest, within(longest * 1e-6)));
        assertThat(DoubleStream.of(shares).sum()).isEqualTo(total, within(total * 1e-6));
    }

    /** The three workers of the paper, whose printed shares are rounded from finer ratios. */
    @Test
    void constantSpeedsGiveProportionalShares() {
        List<DoubleUnaryOperator> times = List.of(x -> x / 1.01, x -> x, x -> x / 2.31);

        double[] shares = GeometricPartitioner.shares(times, SAMPLES);

        assertEqualTimes(times, shares, SAMPLES);
        assertThat(LargestRemainder.round(shares, SAMPLES))
                .isEqualTo(List.of(14_028, 13_889, 32_083));
    }

    @Test
    void curvesGiveEqualTimes() {
        List<DoubleUnaryOperator> times =
                List.of(
                        x -> 1e-3 * x,
                        x -> 1e-6 * x * x,
                        x -> 5e-4 * x * Math.log1p(x),
                        x -> 0.2 * Math.sqrt(x),
                        x -> x < 5000 ? 1e-4 * x : 0.5 + 1e-2 * (x - 5000));

        assertEqualTimes(times, GeometricPartitioner.shares(times, SAMPLES), SAMPLES);
    }

    @Test
    void anySpeedFunctionsGiveEqualTimes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            List<DoubleUnaryOperator> times =
                    IntStream.range(0, 1 + random.nextInt(8))
                            .mapToObj(_ -> (DoubleUnaryOperator) rising(random)::seconds)
                            .toList();
            int total = 1 + random.nextInt(100_000);
            try {
                assertEqualTimes(times, GeometricPartitioner.shares(times, total), total);
            } catch (AssertionError failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
    }

    private static SpeedFunction rising(Random random) {
        double[] seconds = {0};
        return SpeedFunction.piecewise(
                IntStream.of(8, 16, 32, 48, 64, 96, 128, 192)
                        .mapToObj(size -> {
                            seconds[0] += 1e-4 + random.nextDouble();
                            return new SpeedFunction.Point(size, seconds[0]);
                        })
                        .toList());
    }

    @Test
    void aMuchSlowerWorkerGetsNearlyNothing() {
        List<DoubleUnaryOperator> times = List.of(x -> x, x -> x, x -> 1e6 * x);

        assertThat(LargestRemainder.round(GeometricPartitioner.shares(times, SAMPLES), SAMPLES))
                .isEqualTo(List.of(30_000, 30_000, 0));
    }

    @Test
    void aSingleWorkerGetsAll() {
        assertThat(GeometricPartitioner.shares(List.of(x -> 3 * x), SAMPLES))
                .containsExactly(SAMPLES);
    }

    @Test
    void flatStretchesLoseNothing() {
        List<DoubleUnaryOperator> stairs =
                List.of(x -> Math.ceil(x / 64), x -> Math.ceil(x / 64), x -> Math.ceil(x / 32));

        List<Integer> shares =
                LargestRemainder.round(GeometricPartitioner.shares(stairs, 1000), 1000);

        assertThat(shares.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1000);
        assertThat(shares.get(0)).isEqualTo(shares.get(1)).isBetween(384, 416);
    }

    /** The speed functions are over a mini-batch, the shares over an epoch. */
    @Test
    void sharesAreOfAnEpochOfEqualRounds() {
        SpeedFunction fast = SpeedFunction.piecewise(List.of(new SpeedFunction.Point(64, 0.01)));
        SpeedFunction slow = SpeedFunction.piecewise(List.of(new SpeedFunction.Point(64, 0.03)));

        assertThat(Partitioner.functional(SAMPLES, 312, List.of(fast, slow)))
                .isEqualTo(List.of(45_000, 15_000));
    }

    @Test
    void theOverheadOfASmallBatchCounts() {
        SpeedFunction flat =
                SpeedFunction.piecewise(
                        List.of(
                                new SpeedFunction.Point(10, 1.0),
                                new SpeedFunction.Point(100, 1.9)));
        SpeedFunction line = SpeedFunction.piecewise(List.of(new SpeedFunction.Point(10, 0.5)));

        List<Integer> shares = Partitioner.functional(1000, 10, List.of(flat, line));

        assertThat(flat.seconds(shares.get(0) / 10.0))
                .isEqualTo(line.seconds(shares.get(1) / 10.0), within(0.01));
    }

    @Test
    void equalSharesDifferByOneAtMost() {
        assertThat(Partitioner.equal(SAMPLES, 3)).isEqualTo(List.of(20_000, 20_000, 20_000));
        assertThat(Partitioner.equal(10, 4)).isEqualTo(List.of(3, 3, 2, 2));
        assertThat(Partitioner.equal(2, 3)).isEqualTo(List.of(1, 1, 0));
    }
}
