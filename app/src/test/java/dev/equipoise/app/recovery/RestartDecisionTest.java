package dev.equipoise.app.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.recovery.RestartDecision.Backoff;
import dev.equipoise.app.recovery.RestartDecision.GiveUp;
import dev.equipoise.app.recovery.RestartDecision.Restart;
import dev.equipoise.protocol.FailureCause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestartDecisionTest {

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60));

    private static RunFailure failure(FailureCause cause) {
        return new RunFailure(cause, "broken", "it broke");
    }

    /** Decides on a run that had trained 10 rounds at an earlier restart. */
    private static RestartDecision decide(
            FailureCause cause, int allowed, int withoutProgress, long reached) {
        return RestartDecision.of(failure(cause), allowed, withoutProgress, 10, reached, BACKOFF);
    }

    @Test
    void userFailureNeverRestarts() {
        assertThat(decide(FailureCause.USER, 5, 0, 11))
                .isEqualTo(new GiveUp(failure(FailureCause.USER)));
    }

    @Test
    void delayDoublesWithEachFailureInARow() {
        assertThat(decide(FailureCause.WORKER, 9, 0, 10))
                .isEqualTo(new Restart(1, Duration.ofSeconds(1)));
        assertThat(decide(FailureCause.WORKER, 9, 1, 10))
                .isEqualTo(new Restart(2, Duration.ofSeconds(2)));
        assertThat(decide(FailureCause.WORKER, 9, 4, 10))
                .isEqualTo(new Restart(5, Duration.ofSeconds(16)));
        assertThat(decide(FailureCause.WORKER, 100, 99, 10))
                .isEqualTo(new Restart(100, Duration.ofSeconds(60)));
    }

    @Test
    void progressResetsTheCount() {
        assertThat(decide(FailureCause.WORKER, 5, 5, 11))
                .isEqualTo(new Restart(1, Duration.ofSeconds(1)));
    }

    @Test
    void restartsWithoutProgressFailWithTheReason() {
        assertThat(decide(FailureCause.WORKER, 5, 5, 10))
                .isEqualTo(
                        new GiveUp(
                                new RunFailure(
                                        FailureCause.WORKER,
                                        "broken",
                                        "it broke; it was restarted 5 times in a row without progress")));
    }

    @Test
    void firstFailureIsFinalWithoutRestarts() {
        assertThat(decide(FailureCause.WORKER, 0, 0, 11))
                .isEqualTo(new GiveUp(failure(FailureCause.WORKER)));
        assertThat(decide(FailureCause.CAPACITY, 0, 0, 11))
                .isEqualTo(new GiveUp(failure(FailureCause.CAPACITY)));
    }

    @Test
    void capacityFailureRetriesIndefinitely() {
        assertThat(decide(FailureCause.CAPACITY, 5, 5, 10))
                .isEqualTo(new Restart(5, Duration.ofSeconds(60)));
    }
}
