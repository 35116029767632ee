package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PredictionTest {

    @Test
    void everyRoundLastsAsLongAsItsSlowestStepAndOneExchange() {
        assertThat(Prediction.bsp(100, List.of(0.25, 0.5, 0.125), 0.25))
                .isEqualTo(new Prediction(50, 25, 75));
    }

    @Test
    void aSingleRankExchangesNothing() {
        assertThat(Prediction.bsp(10, List.of(0.5), 0)).isEqualTo(new Prediction(5, 0, 5));
    }
}
