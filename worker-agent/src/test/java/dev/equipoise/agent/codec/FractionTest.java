package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FractionTest {

    @ParameterizedTest
    @CsvSource({
        "0.01, 0, 0",
        "0.01, 1, 1",
        "0.01, 100, 1",
        "0.01, 101, 2",
        "0.07, 100, 7",
        "1e-300, 2147483647, 1",
        "1, 2147483647, 2147483647"
    })
    void isRoundedUpToWholeElements(double fraction, int elements, int count) {
        assertThat(new Fraction(fraction).of(elements)).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, 1.1, Double.NaN})
    void rejectsAnInvalidFraction(double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fraction(value))
                .withMessage("the fraction must be above 0 and at most 1, but was %s", value);
    }
}
