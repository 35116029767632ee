package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SigmoidsTest {

    @Test
    void computesSigmoidsOfAllUnits() {
        try (var sigmoids = new Sigmoids(3, 7, Backends.load())) {
            sigmoids.run();

            assertThat(sigmoids.result())
                    .isEqualTo((float) (1 / (1 + Math.exp(-1))), within(1e-6f));
        }
    }
}
