package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MeanEstimateTest {

    private static MeanEstimate of(Double... values) {
        return Objects.requireNonNull(MeanEstimate.of(List.of(values)));
    }

    /** s = 1, t(0.975; 2) = 4.302653, half-width = 4.302653 / sqrt(3). */
    @Test
    void threeValuesMatchStudentsTable() {
        MeanEstimate estimate = of(1.0, 2.0, 3.0);

        assertThat(estimate.count()).isEqualTo(3);
        assertThat(estimate.mean()).isEqualTo(2);
        assertThat(estimate.low()).isCloseTo(2 - 2.484138, within(1e-6));
        assertThat(estimate.high()).isCloseTo(2 + 2.484138, within(1e-6));
    }

    /** s = 0.02 / sqrt(2), t(0.975; 1) = 12.706205, half-width = 12.706205 * 0.01. */
    @Test
    void twoValuesHaveOneDegreeOfFreedom() {
        MeanEstimate estimate = of(0.90, 0.92);

        assertThat(estimate.mean()).isCloseTo(0.91, within(1e-12));
        assertThat(estimate.high()).isCloseTo(0.91 + 0.12706205, within(1e-8));
    }

    @Test
    void oneValueHasNoInterval() {
        assertThat(of(0.5)).isEqualTo(new MeanEstimate(1, 0.5, null, null));
    }

    @Test
    void equalValuesHaveAnIntervalOfZeroWidth() {
        assertThat(of(0.5, 0.5, 0.5)).isEqualTo(new MeanEstimate(3, 0.5, 0.5, 0.5));
    }

    @Test
    void noValuesHaveNoEstimate() {
        assertThat(MeanEstimate.of(List.of())).isNull();
    }
}
