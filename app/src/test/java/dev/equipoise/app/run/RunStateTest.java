package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RunStateTest {

    /** Transitions of the design, written independently of the code. */
    private static final Set<String> ALLOWED =
            Set.of(
                    "QUEUED>PLACED",
                    "QUEUED>FAILED",
                    "QUEUED>CANCELLED",
                    "PLACED>QUEUED",
                    "PLACED>PREPARING",
                    "PLACED>FAILED",
                    "PLACED>CANCELLED",
                    "PREPARING>QUEUED",
                    "PREPARING>PLACED",
                    "PREPARING>RUNNING",
                    "PREPARING>FAILED",
                    "PREPARING>CANCELLED",
                    "RUNNING>QUEUED",
                    "RUNNING>PLACED",
                    "RUNNING>COMPLETED",
                    "RUNNING>FAILED",
                    "RUNNING>CANCELLED");

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void transitionsAreThoseOfTheDesign(RunState from, RunState to) {
        assertThat(from.mayBecome(to)).isEqualTo(ALLOWED.contains(from + ">" + to));
    }

    private static Stream<Arguments> pairs() {
        return Arrays.stream(RunState.values())
                .flatMap(
                        from -> Arrays.stream(RunState.values()).map(to -> Arguments.of(from, to)));
    }

    @Test
    void threeStatesAreTerminal() {
        assertThat(Arrays.stream(RunState.values()).filter(RunState::isTerminal))
                .containsExactly(RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED);
    }
}
