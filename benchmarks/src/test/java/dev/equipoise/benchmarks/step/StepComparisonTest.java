package dev.equipoise.benchmarks.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StepComparisonTest {

    @Test
    void ratioIsTheMedianOverThePairsAndNotTheRatioOfTheMedians() {
        var comparison = StepComparison.of(timings(1, 2, 4), timings(2, 3, 4));

        assertThat(comparison.ratios()).containsExactly(2.0, 1.5, 1.0);
        assertThat(comparison.ratio()).isEqualTo(1.5);
        assertThat(comparison.seconds()).isEqualTo(2);
        assertThat(comparison.samplesPerSecond()).isEqualTo(32);
        assertThat(comparison.peerSamplesPerSecond()).isEqualTo(64 / 3.0);
    }

    @Test
    void medianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertThat(StepComparison.of(timings(4, 1, 2, 3), List.of()).seconds()).isEqualTo(2.5);
    }

    @Test
    void ratioIsNullWithoutAPeer() {
        var comparison = StepComparison.of(timings(1), List.of());

        assertThat(comparison.ratio()).isNull();
        assertThat(comparison.ratios()).isNull();
        assertThat(comparison.peerSamplesPerSecond()).isNull();
    }

    private static List<Timing> timings(double... seconds) {
        return DoubleStream.of(seconds).mapToObj(it -> Timing.ours("mlp", 1, 64, it)).toList();
    }
}
