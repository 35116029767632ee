package dev.equipoise.performance.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares intervals with those of scipy.stats.t.interval of SciPy 1.17.1, to 1e-9. */
class MeanEstimateTest {

    private static final double EXACT = 1e-9;

    private static MeanEstimate of(ValueRange range, Double... values) {
        return Objects.requireNonNull(MeanEstimate.of(List.of(values), range));
    }

    private static void assertInterval(MeanEstimate estimate, double low, double high) {
        assertThat(estimate.interval()).isEqualTo(IntervalKind.CONFIDENCE);
        assertThat(estimate.low()).isCloseTo(low, within(EXACT));
        assertThat(estimate.high()).isCloseTo(high, within(EXACT));
        assertThat(estimate.points()).isEmpty();
    }

    @Test
    void fourValuesHaveStudentsInterval() {
        MeanEstimate estimate = of(ValueRange.NON_NEGATIVE, 1.0, 2.0, 3.0, 4.0);

        assertThat(estimate.count()).isEqualTo(4);
        assertThat(estimate.mean()).isEqualTo(2.5);
        assertInterval(estimate, 0.4457397432394794, 4.554260256760521);
    }

    @Test
    void fiveValuesHaveStudentsInterval() {
        assertInterval(
                of(ValueRange.NON_NEGATIVE, 12.1, 11.8, 12.6, 12.3, 12.0),
                11.781343371836055,
                12.538656628163945);
    }

    /** SciPy's interval ends at 1.0097. */
    @Test
    void intervalOfAnAccuracyEndsAtOne() {
        assertInterval(of(ValueRange.FRACTION, 0.97, 0.99, 0.995, 1.0), 0.967825768478628, 1);
    }

    /** SciPy's interval begins at -1.43. */
    @Test
    void intervalOfALossBeginsAtZero() {
        assertInterval(of(ValueRange.NON_NEGATIVE, 0.1, 0.2, 3.0, 0.1), 0, 3.1319863583930907);
    }

    /** Student's interval of these times would reach from -1.21 s to 7.46 s. */
    @Test
    void twoValuesShowTheirRangeAndThemselves() {
        MeanEstimate estimate = of(ValueRange.NON_NEGATIVE, 3.46, 2.78);

        assertThat(estimate)
                .isEqualTo(
                        new MeanEstimate(
                                2, 3.12, 2.78, 3.46, IntervalKind.RANGE, List.of(3.46, 2.78)));
    }

    @Test
    void threeValuesShowTheirRange() {
        MeanEstimate estimate = of(ValueRange.FRACTION, 0.5, 0.25, 0.75);

        assertThat(estimate)
                .isEqualTo(
                        new MeanEstimate(
                                3, 0.5, 0.25, 0.75, IntervalKind.RANGE, List.of(0.5, 0.25, 0.75)));
    }

    @Test
    void oneValueHasNoInterval() {
        assertThat(of(ValueRange.FRACTION, 0.5))
                .isEqualTo(new MeanEstimate(1, 0.5, null, null, IntervalKind.NONE, List.of(0.5)));
    }

    @Test
    void equalValuesHaveAnIntervalOfZeroWidth() {
        MeanEstimate three = of(ValueRange.FRACTION, 0.1, 0.1, 0.1);

        assertThat(three.mean()).isEqualTo(0.1);
        assertInterval(of(ValueRange.FRACTION, 0.5, 0.5, 0.5, 0.5), 0.5, 0.5);
    }

    @Test
    void noValuesHaveNoEstimate() {
        assertThat(MeanEstimate.of(List.of(), ValueRange.FRACTION)).isNull();
    }
}
