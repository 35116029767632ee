package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerStateTest {

    /** Copied from the design, to check the code against it. */
    private static final Set<String> ALLOWED =
            Set.of(
                    "JOINING>IDLE",
                    "JOINING>DRAINING",
                    "JOINING>LOST",
                    "JOINING>LEFT",
                    "IDLE>BUSY",
                    "IDLE>DRAINING",
                    "IDLE>LOST",
                    "IDLE>LEFT",
                    "IDLE>JOINING",
                    "BUSY>IDLE",
                    "BUSY>DRAINING",
                    "BUSY>LOST",
                    "BUSY>LEFT",
                    "BUSY>JOINING",
                    "DRAINING>LOST",
                    "DRAINING>LEFT",
                    "DRAINING>JOINING",
                    "LOST>IDLE",
                    "LOST>DRAINING",
                    "LOST>LEFT",
                    "LOST>JOINING",
                    "LEFT>JOINING");

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void transitionsAreThoseOfTheDesign(WorkerState from, WorkerState to) {
        assertThat(from.mayBecome(to)).isEqualTo(ALLOWED.contains(from + ">" + to));
    }

    private static Stream<Arguments> pairs() {
        return Arrays.stream(WorkerState.values())
                .flatMap(from ->
                        Arrays.stream(WorkerState.values()).map(to -> Arguments.of(from, to)));
    }

    @Test
    void liveStatesSendHeartbeats() {
        assertThat(Arrays.stream(WorkerState.values()).filter(WorkerState::isLive))
                .containsExactly(
                        WorkerState.JOINING,
                        WorkerState.IDLE,
                        WorkerState.BUSY,
                        WorkerState.DRAINING);
    }
}
