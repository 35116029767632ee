package dev.equipoise.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class StalenessHistogramTest {

    @Test
    void hasTotalSumAndMaximum() {
        var histogram = new StalenessHistogram(List.of(90L, 5L, 0L, 5L), 20, 3);

        assertThat(histogram.total()).isEqualTo(100);
        assertThat(histogram.mean()).isEqualTo(0.2);
        assertThat(histogram.max()).isEqualTo(3);
        assertThat(histogram.quantile(0.5)).isZero();
        assertThat(histogram.quantile(0.95)).isEqualTo(1);
        assertThat(histogram.quantile(1)).isEqualTo(3);
    }

    @Test
    void addsBinByBin() {
        var one = new StalenessHistogram(List.of(1L, 2L), 2, 1);
        var other = new StalenessHistogram(List.of(0L, 3L, 4L), 11, 2);

        assertThat(one.plus(other)).isEqualTo(new StalenessHistogram(List.of(1L, 5L, 4L), 13, 2));
        assertThat(other.plus(one)).isEqualTo(one.plus(other));
        assertThat(one.plus(StalenessHistogram.EMPTY)).isEqualTo(one);
    }

    @Test
    void isEmptyWithoutPushes() {
        assertThat(StalenessHistogram.EMPTY.total()).isZero();
        assertThat(StalenessHistogram.EMPTY.mean()).isZero();
        assertThat(StalenessHistogram.EMPTY.quantile(0.95)).isZero();
        assertThat(new StalenessCount().histogram()).isEqualTo(StalenessHistogram.EMPTY);
    }

    @Test
    void countsLargeValuesInTheLastBin() {
        StalenessHistogram histogram = counted(1022, 1023, 1024, 50_000);

        assertThat(histogram.counts()).hasSize(StalenessHistogram.BINS);
        assertThat(histogram.count(1022)).isEqualTo(1);
        assertThat(histogram.count(1023)).isEqualTo(3);
    }

    @Test
    void hasMeanAndMaximumOfTheLastBin() {
        StalenessHistogram histogram = counted(0, 0, 2_000, 50_000).plus(counted(1));

        assertThat(histogram.max()).isEqualTo(50_000);
        assertThat(histogram.mean()).isEqualTo(52_001 / 5.0);
        assertThat(histogram.quantile(0.6)).isEqualTo(1);
        assertThat(histogram.quantile(0.9)).isEqualTo(50_000);
    }

    private static StalenessHistogram counted(long... staleness) {
        var count = new StalenessCount();
        for (long one : staleness) {
            count.add(one);
        }
        return count.histogram();
    }

    @Test
    void rejectsNegativeCounts() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StalenessHistogram(List.of(-1L), 0, 0))
                .withMessageContaining("none negative");
    }

    @Test
    void rejectsAMaximumWithoutCount() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StalenessHistogram(List.of(1L, 2L), 2, 2))
                .withMessageEndingWith(
                        "of 2 counts, and no more than the sum, but they are 2 and 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StalenessHistogram(List.of(1L, 2L), 0, 1));
    }
}
