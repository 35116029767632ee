package dev.equipoise.app.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerAssignmentTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final WorkerAssignment assignment =
            WorkerAssignment.ofRun(
                    WorkerId.of(new UUID(0, 1)), RunId.of(new UUID(0, 2)), 0, 1, new byte[32], NOW);

    private static Instant at(int second) {
        return NOW.plusSeconds(second);
    }

    /**
     * The assignment begins at second 0; heartbeats are missing between two seconds, of which the
     * first may be before it began, and the second before the first one.
     */
    @ParameterizedTest
    @CsvSource({
        "10, 3610, 3620, 20",
        "-2, 3598, 3600, 2",
        "10, -3590, -3580, 20",
        "-2, -60, -50, 10",
    })
    void timeWithoutHeartbeatsIsNotHeld(int from, int until, int now, double held) {
        assignment.exclude(at(from), at(until));

        assertThat(assignment.heldSeconds(at(now), at(now))).isEqualTo(held);
    }

    @Test
    void heldTimeEndsWithTheHeartbeats() {
        assertThat(assignment.heldSeconds(at(3600), at(30))).isEqualTo(30);
        assertThat(assignment.heldSeconds(at(20), at(30))).isEqualTo(20);
        assertThat(assignment.heldSeconds(at(-60), at(30))).isZero();
    }

    @Test
    void endDuringTheGapIsNotHeldEither() {
        assignment.revoke(at(3610));

        assignment.exclude(at(10), at(3612));

        assertThat(assignment.heldSeconds(at(3700), at(3700))).isEqualTo(10);
    }
}
