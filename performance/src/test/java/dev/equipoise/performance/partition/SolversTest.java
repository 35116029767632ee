package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Partitioning.Model;
import dev.equipoise.protocol.Partitioning.Solver;
import dev.equipoise.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requirements of both solvers. */
class SolversTest {

    private static final double SAMPLES = 60_000;

    private static double[] shares(Solver solver, List<SpeedFunction> speeds, double total) {
        return switch (solver) {
            case GEOMETRIC -> GeometricSolver.shares(speeds, total);
            case NUMERICAL -> NumericalSolver.shares(speeds, total);
        };
    }

    private static void assertEqualTimes(
            List<SpeedFunction> speeds, double[] shares, double total) {
        List<Double> seconds =
                IntStream.range(0, shares.length)
                        .mapToObj(rank -> speeds.get(rank).seconds(shares[rank]))
                        .toList();
        double longest = seconds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        assertThat(seconds)
                .allSatisfy(it -> assertThat(it).isEqualTo(longest, within(longest * 1e-6)));
        assertThat(DoubleStream.of(shares).sum()).isEqualTo(total, within(total * 1e-6));
    }

    /** Speeds of the three workers of S4, table I, whose printed shares differ by less than 1 %. */
    @ParameterizedTest
    @EnumSource
    void constantSpeedsGiveProportionalShares(Solver solver) {
        List<SpeedFunction> speeds =
                DoubleStream.of(1.01, 1, 2.31).mapToObj(SpeedFunction::constant).toList();

        assertThat(shares(solver, speeds, SAMPLES))
                .containsExactly(new double[] {14_027.8, 13_888.9, 32_083.3}, within(0.05));
    }

    @ParameterizedTest
    @EnumSource
    void randomSpeedFunctionsGiveEqualTimes(Solver solver) {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            Model model = round % 2 == 0 ? Model.PIECEWISE : Model.AKIMA;
            List<SpeedFunction> speeds =
                    IntStream.range(0, 1 + random.nextInt(8))
                            .mapToObj(_ -> rising(model, random))
                            .toList();
            double total = 1 + random.nextInt(1000);
            try {
                assertEqualTimes(speeds, shares(solver, speeds, total), total);
            } catch (AssertionError failure) {
                throw new AssertionError("seed " + seed + ", round " + round, failure);
            }
        }
    }

    private static SpeedFunction rising(Model model, Random random) {
        double[] seconds = {0};
        return SpeedFunction.of(
                model,
                IntStream.of(8, 16, 32, 48, 64, 96, 128, 192)
                        .mapToObj(size -> {
                            seconds[0] += 1e-4 + random.nextDouble();
                            return new SpeedFunction.Point(size, seconds[0]);
                        })
                        .toList(),
                64);
    }

    @ParameterizedTest
    @EnumSource
    void muchSlowerWorkerGetsAlmostNothing(Solver solver) {
        List<SpeedFunction> speeds =
                DoubleStream.of(1, 1, 1e-6).mapToObj(SpeedFunction::constant).toList();

        assertThat(shares(solver, speeds, SAMPLES))
                .containsExactly(new double[] {30_000, 30_000, 0.03}, within(0.02));
    }

    @ParameterizedTest
    @EnumSource
    void singleWorkerGetsEverything(Solver solver) {
        assertThat(shares(solver, List.of(SpeedFunction.constant(3)), SAMPLES))
                .containsExactly(new double[] {SAMPLES}, within(1e-6));
    }

    @Test
    void bothSolversAgree() {
        Random random = new Random(1);
        List<SpeedFunction> speeds =
                IntStream.range(0, 7).mapToObj(_ -> rising(Model.AKIMA, random)).toList();

        assertThat(NumericalSolver.shares(speeds, 400))
                .containsExactly(GeometricSolver.shares(speeds, 400), within(1e-3));
    }
}
