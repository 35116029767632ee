package dev.equipoise.app.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProfileStateTest {

    /** Written from the design, not from the code. */
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
    void mayBecomeWhatTheDesignAllows(ProfileState from, ProfileState to) {
        assertThat(from.mayBecome(to)).isEqualTo(ALLOWED.contains(from + ">" + to));
    }

    private static Stream<Arguments> pairs() {
        return Arrays.stream(ProfileState.values())
                .flatMap(from ->
                        Arrays.stream(ProfileState.values()).map(to -> Arguments.of(from, to)));
    }

    @Test
    void threeStatesAreTheEnd() {
        assertThat(Arrays.stream(ProfileState.values()).filter(ProfileState::isTerminal))
                .containsExactly(
                        ProfileState.COMPLETE, ProfileState.FAILED, ProfileState.CANCELLED);
    }
}
