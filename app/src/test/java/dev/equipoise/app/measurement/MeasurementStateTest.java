package dev.equipoise.app.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MeasurementStateTest {

    /** Copied from the design, to check the code against it. */
    private static final Set<String> ALLOWED =
            Set.of(
                    "PENDING>MEASURING",
                    "PENDING>FAILED",
                    "PENDING>CANCELLED",
                    "MEASURING>COMPLETE",
                    "MEASURING>FAILED",
                    "MEASURING>CANCELLED");

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void transitionsAreThoseOfTheDesign(MeasurementState from, MeasurementState to) {
        assertThat(from.mayBecome(to)).isEqualTo(ALLOWED.contains(from + ">" + to));
    }

    private static Stream<Arguments> pairs() {
        return Arrays.stream(MeasurementState.values())
                .flatMap(from ->
                        Arrays.stream(MeasurementState.values()).map(to -> Arguments.of(from, to)));
    }

    @Test
    void terminalStates() {
        assertThat(Arrays.stream(MeasurementState.values()).filter(MeasurementState::isTerminal))
                .containsExactly(
                        MeasurementState.COMPLETE,
                        MeasurementState.FAILED,
                        MeasurementState.CANCELLED);
    }
}
