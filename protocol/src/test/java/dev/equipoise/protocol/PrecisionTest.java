package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PrecisionTest {

    private static final Precision PRECISION = new Precision(5, 100, 0.95, 0.025, 4);

    @Test
    void exactPointIsDoneAfterTheMinimumOfRepetitions() {
        assertThat(PRECISION.progress(new MeasuredPoint(8, 0.01, 4, 0.0001, 0))).isLessThan(1);
        assertThat(PRECISION.progress(new MeasuredPoint(8, 0.01, 5, 0.0001, 0))).isEqualTo(1);
    }

    @Test
    void progressOfAnInexactPointFollowsRepetitionsOrTime() {
        assertThat(PRECISION.progress(new MeasuredPoint(8, 0.01, 50, 0.01, 0.01))).isEqualTo(0.5);
        assertThat(PRECISION.progress(new MeasuredPoint(8, 0.1, 30, 0.1, 0.1)))
                .isCloseTo(0.75, within(1e-12));
        assertThat(PRECISION.progress(new MeasuredPoint(8, 0.5, 20, 0.5, 0.5))).isEqualTo(1);
    }

    @Test
    void rejectsAConfidenceOfOne() {
        assertThatThrownBy(() -> new Precision(5, 100, 1, 0.025, 4))
                .hasMessage("confidence must be below 1.0, but was 1.0");
    }
}
