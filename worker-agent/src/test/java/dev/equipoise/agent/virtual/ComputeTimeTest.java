package dev.equipoise.agent.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.performance.partition.SpeedFunction.Point;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComputeTimeTest {

    private static final ComputeTime MEASURED =
            new ComputeTime(
                    SpeedFunction.piecewise(
                            List.of(new Point(10, 1e-6), new Point(20, 4e-6), new Point(40, 5e-6))),
                    0,
                    0);

    @ParameterizedTest
    @CsvSource({"0, 0", "5, 500", "10, 1000", "15, 2500", "20, 4000", "30, 4500", "60, 6000"})
    void interpolatesPointsAndContinuesTheLastSlope(int samples, long nanos) {
        assertThat(MEASURED.nanos(samples, 3, 7)).isEqualTo(nanos);
    }

    /**
     * Each mini-batch takes its own time; together they may take longer than one large mini-batch.
     */
    @Test
    void miniBatchesTakeTheSumOfTheirTimes() {
        assertThat(MEASURED.nanos(40, 1, 0, 0)).isEqualTo(5000);
        assertThat(MEASURED.nanos(40, 2, 0, 0)).isEqualTo(2 * 4000);
        assertThat(MEASURED.nanos(45, 3, 0, 0)).isEqualTo(3 * 2500);
    }

    @Test
    void aConstantRateHoldsForAllSizes() {
        ComputeTime time = ComputeTime.ofRate(1000);

        assertThat(time.nanos(1, 0, 0)).isEqualTo(1_000_000);
        assertThat(time.nanos(5000, 0, 0)).isEqualTo(5_000_000_000L);
    }

    @Test
    void aSlowdownIsAFactor() {
        assertThat(MEASURED.slowedDown(2).slowedDown(1.5).nanos(10, 0, 0)).isEqualTo(3000);
    }

    /** Tolerance: four standard errors of 100,000 draws. */
    @Test
    void jitterIsLogNormalWithTheFunctionAsItsMean() {
        double sigma = 0.5;
        int draws = 100_000;
        ComputeTime time = ComputeTime.ofRate(1).withNoise(sigma, 42);
        List<Double> seconds =
                LongStream.range(0, draws).mapToObj(draw -> time.nanos(1, 2, draw) / 1e9).toList();

        double mean = seconds.stream().mapToDouble(it -> it).sum() / draws;
        double meanLog = seconds.stream().mapToDouble(Math::log).sum() / draws;
        double variance =
                seconds.stream().mapToDouble(it -> Math.pow(Math.log(it) - meanLog, 2)).sum()
                        / draws;

        assertThat(mean).isCloseTo(1, within(4 * 0.533 / Math.sqrt(draws)));
        assertThat(meanLog).isCloseTo(-sigma * sigma / 2, within(4 * sigma / Math.sqrt(draws)));
        assertThat(variance)
                .isCloseTo(
                        sigma * sigma, within(4 * sigma * sigma * Math.sqrt(2) / Math.sqrt(draws)));
    }

    /** The bits are equal on all hosts. */
    @Test
    void equalDrawsGiveEqualTimes() {
        ComputeTime time = ComputeTime.ofRate(1).withNoise(0.1, 1);

        assertThat(time.nanos(1, 0, 0)).isEqualTo(1_107_676_234L);
        assertThat(LongStream.range(0, 4).map(draw -> time.nanos(1, 0, draw)))
                .doesNotHaveDuplicates();
        assertThat(LongStream.range(0, 4).map(rank -> time.nanos(1, (int) rank, 0)))
                .doesNotHaveDuplicates();
        assertThat(time.withNoise(0.1, 2).nanos(1, 0, 0)).isNotEqualTo(time.nanos(1, 0, 0));
    }

    @Test
    void rejectsInvalidFactorsAndSigmas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ComputeTime.ofRate(1).slowedDown(0))
                .withMessageContaining("out of range: greater than 0 and finite");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ComputeTime.ofRate(1).withNoise(-1, 0))
                .withMessageContaining("but was -1.0");
    }
}
