package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StalenessCorrectionTest {

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 4.1, Double.NaN})
    void rejectsPowersOutOfRange(double power) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StalenessCorrection.InversePower(power))
                .withMessageContaining("power must be from ")
                .withMessageContaining("but was " + power);
    }

    @Test
    void rejectsANegativeStaleness() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StalenessCorrection.DropAbove(-1))
                .withMessage("staleness must be at least 0, but was -1");
    }
}
