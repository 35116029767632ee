package dev.equipoise.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Precision;
import org.junit.jupiter.api.Test;

class SampleTest {

    private static final double TOLERANCE = 1e-12;
    private static final Precision PRECISION = new Precision(5, 10, 0.95, 0.025, 4);

    @Test
    void hasMeanAndDeviation() {
        Sample sample = sample(2, 4, 4, 4, 5, 5, 7, 9);

        assertThat(sample.repetitions()).isEqualTo(8);
        assertThat(sample.mean()).isCloseTo(5, within(TOLERANCE));
        assertThat(sample.deviation()).isCloseTo(Math.sqrt(32.0 / 7), within(TOLERANCE));
    }

    @Test
    void halfWidthFollowsStudentsDistribution() {
        // Table value of the two-sided 95 % quantile at 4 degrees of freedom: 2.776445.
        assertThat(sample(1, 2, 3, 4, 5).halfWidth(0.95))
                .isCloseTo(2.776445105 * Math.sqrt(2.5 / 5), within(1e-8));
    }

    @Test
    void singleRepetitionHasNoDeviation() {
        assertThat(sample(3).deviation()).isZero();
        assertThat(sample(3).halfWidth(0.95)).isInfinite();
        assertThat(sample(30).suffices(PRECISION)).isFalse();
    }

    @Test
    void needsTheLeastRepetitionsHoweverPrecise() {
        assertThat(sample(0.1, 0.1, 0.1, 0.1).suffices(PRECISION)).isFalse();
        assertThat(sample(0.1, 0.1, 0.1, 0.1, 0.1).suffices(PRECISION)).isTrue();
    }

    @Test
    void needsMoreWhileTheIntervalIsWide() {
        assertThat(sample(0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1).suffices(PRECISION))
                .isFalse();
    }

    @Test
    void endsAtTheMostRepetitionsHoweverWideTheInterval() {
        assertThat(sample(0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2).suffices(PRECISION))
                .isTrue();
    }

    @Test
    void endsWhenThePointHasUsedItsTime() {
        assertThat(sample(1.5, 2.4).suffices(PRECISION)).isFalse();
        assertThat(sample(1.5, 2.6).suffices(PRECISION)).isTrue();
    }

    @Test
    void becomesAPointWithItsUncertainty() {
        var point = sample(1, 2, 3, 4, 5).at(64, 0.95, false);

        assertThat(point.size()).isEqualTo(64);
        assertThat(point.meanSeconds()).isEqualTo(3);
        assertThat(point.repetitions()).isEqualTo(5);
        assertThat(point.confidenceSeconds()).isCloseTo(1.963243, within(1e-6));
        assertThat(point.deviationSeconds()).isCloseTo(Math.sqrt(2.5), within(TOLERANCE));
    }

    private static Sample sample(double... seconds) {
        Sample sample = Sample.EMPTY;
        for (double each : seconds) {
            sample = sample.plus(each);
        }
        return sample;
    }
}
