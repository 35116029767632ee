package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.telemetry.EpochStore.EpochTotal;
import dev.equipoise.app.telemetry.MetricStore.Steps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ten rounds an epoch; two epochs are reported, with 100 and 300 samples, 1,000 and 500 bytes. */
class ScaleTest {

    private static Scale over(Axis axis) {
        return new Scale(
                axis, 10, List.of(new EpochTotal(1, 100, 1000), new EpochTotal(2, 300, 500)));
    }

    @Test
    void stepEpochAndSecondsNeedNoTotals() {
        assertThat(over(Axis.STEP).x(25, 7.5)).isEqualTo(25);
        assertThat(over(Axis.EPOCH).x(25, 7.5)).isEqualTo(2.5);
        assertThat(over(Axis.SECONDS).x(25, 7.5)).isEqualTo(7.5);
    }

    @Test
    void stepsOfARangeHoldEveryPositionInIt() {
        assertThat(over(Axis.STEP).steps(2.5, 7)).isEqualTo(new Steps(3, 7));
        assertThat(over(Axis.EPOCH).steps(0.25, 1)).isEqualTo(new Steps(2, 10));
        assertThat(over(Axis.STEP).steps(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY))
                .isEqualTo(new Steps(Long.MIN_VALUE, Long.MAX_VALUE));
        assertThat(over(Axis.SECONDS).steps(1, 2)).isEqualTo(Steps.ALL);
        assertThat(over(Axis.SAMPLES).steps(0, 50)).isEqualTo(new Steps(0, 10));
        assertThat(over(Axis.SAMPLES).steps(100, 100)).isEqualTo(new Steps(0, 20));
        assertThat(over(Axis.SAMPLES).steps(101, 500)).isEqualTo(new Steps(10, 20));
        assertThat(over(Axis.BYTES).steps(2_000, 3_000)).isEqualTo(new Steps(20, 20));
        assertThat(over(Axis.BYTES).steps(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY))
                .isEqualTo(new Steps(0, 20));
    }

    @Test
    void samplesAndBytesAreInterpolatedWithinEpochs() {
        assertThat(over(Axis.SAMPLES).x(5, 0)).isEqualTo(50);
        assertThat(over(Axis.SAMPLES).x(10, 0)).isEqualTo(100);
        assertThat(over(Axis.SAMPLES).x(15, 0)).isEqualTo(250);
        assertThat(over(Axis.BYTES).x(20, 0)).isEqualTo(1500);
    }

    @Test
    void wallClockIsInterpolatedBetweenTheEndsOfEpochs() {
        Scale clock = Scale.wallClock(10, List.of(4.0, 10.0));

        assertThat(clock.x(0, 7.5)).isZero();
        assertThat(clock.x(5, 7.5)).isEqualTo(2);
        assertThat(clock.x(10, 7.5)).isEqualTo(4);
        assertThat(clock.x(15, 7.5)).isEqualTo(7);
        assertThat(clock.x(21, 7.5)).isNaN();
        assertThat(clock.steps(5, 20)).isEqualTo(new Steps(10, 20));
    }

    @Test
    void totalsOfTheCurrentEpochAreUnknown() {
        assertThat(over(Axis.SAMPLES).x(21, 0)).isNaN();
        assertThat(over(Axis.BYTES).x(40, 0)).isNaN();
        assertThat(new Scale(Axis.BYTES, 10, List.of()).x(1, 0)).isNaN();
    }
}
