package dev.equipoise.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class StalenessHistogramTest {

    @Test
    void sumsUpWhatItHasCounted() {
        var histogram = new StalenessHistogram(List.of(90L, 5L, 0L, 5L));

        assertThat(histogram.total()).isEqualTo(100);
        assertThat(histogram.mean()).isEqualTo(0.2);
        assertThat(histogram.max()).isEqualTo(3);
        assertThat(histogram.quantile(0.5)).isZero();
        assertThat(histogram.quantile(0.95)).isEqualTo(1);
        assertThat(histogram.quantile(1)).isEqualTo(3);
    }

    @Test
    void addsPlaceByPlace() {
        var one = new StalenessHistogram(List.of(1L, 2L));
        var other = new StalenessHistogram(List.of(0L, 3L, 4L));

        assertThat(one.plus(other)).isEqualTo(new StalenessHistogram(List.of(1L, 5L, 4L)));
        assertThat(other.plus(one)).isEqualTo(one.plus(other));
        assertThat(one.plus(StalenessHistogram.EMPTY)).isEqualTo(one);
    }

    @Test
    void hasNothingToSayOfNoPushes() {
        assertThat(StalenessHistogram.EMPTY.total()).isZero();
        assertThat(StalenessHistogram.EMPTY.mean()).isZero();
        assertThat(StalenessHistogram.EMPTY.quantile(0.95)).isZero();
    }

    @Test
    void countsWhatIsBeyondAllPlacesInTheLast() {
        assertThat(StalenessHistogram.place(3)).isEqualTo(3);
        assertThat(StalenessHistogram.place(Long.MAX_VALUE))
                .isEqualTo(StalenessHistogram.PLACES - 1);
    }

    @Test
    void refusesLessThanNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StalenessHistogram(List.of(-1L)))
                .withMessageContaining("none negative");
    }
}
