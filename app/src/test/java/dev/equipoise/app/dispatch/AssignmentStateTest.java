package dev.equipoise.app.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AssignmentStateTest {

    /** Copied from the design, to check the code against it. */
    private static final Set<String> ALLOWED =
            Set.of(
                    "OFFERED>LEASED",
                    "OFFERED>REVOKED",
                    "LEASED>PARKED",
                    "LEASED>DONE",
                    "PARKED>DONE",
                    "PARKED>REVOKED",
                    "LEASED>REVOKED");

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void transitionsAreThoseOfTheDesign(AssignmentState from, AssignmentState to) {
        assertThat(from.mayBecome(to)).isEqualTo(ALLOWED.contains(from + ">" + to));
    }

    private static Stream<Arguments> pairs() {
        return Arrays.stream(AssignmentState.values())
                .flatMap(from ->
                        Arrays.stream(AssignmentState.values()).map(to -> Arguments.of(from, to)));
    }
}
