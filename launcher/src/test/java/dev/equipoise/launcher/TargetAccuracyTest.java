package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetAccuracyTest {

    @ParameterizedTest
    @CsvSource({
        "0.9, 0.9",
        "90%, 0.9",
        "90 %, 0.9",
        "accuracy=0.9, 0.9",
        "97.5%, 0.975",
        ".5, 0.5",
        "0, 0",
        "1, 1",
        "1.0, 1",
        "100%, 1"
    })
    void fractionsAndPercentagesAreAccuracies(String text, double accuracy) {
        assertThat(TargetAccuracy.of(text)).isEqualTo(accuracy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "2", "101%", "-0.5", "loss=1", "0.9x", "90%%", "1e-1"})
    void otherTextsAreRejectedWithTheRule(String text) {
        assertThatThrownBy(() -> TargetAccuracy.of(text))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "--target must be an accuracy from 0 to 1, such as 0.9 or 90%, but was "
                                + text);
    }
}
