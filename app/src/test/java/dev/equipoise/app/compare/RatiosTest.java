package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatiosTest {

    @Test
    void timesAreSpeedupsAndBytesAreRatios() {
        Figures baseline =
                new Figures(
                        null, null, null, null, null, null, null, 9.0, 90L, 10.0, 4.0, 6.0, null,
                        null, 100L, 50L);
        Figures own =
                new Figures(
                        null, null, null, null, null, null, null, 3.0, 30L, 5.0, 1.0, 2.0, null,
                        null, 25L, 100L);

        assertThat(Ratios.of(own, baseline))
                .isEqualTo(new Ratios(3.0, 1 / 3.0, 2.0, 4.0, 3.0, 0.25, 2.0));
    }

    @Test
    void unknownOrZeroFiguresHaveNoRatio() {
        assertThat(Ratios.of(Figures.UNKNOWN, Figures.UNKNOWN))
                .isEqualTo(new Ratios(null, null, null, null, null, null, null));
        assertThat(Ratios.over(1, 0)).isNull();
    }
}
