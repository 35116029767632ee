package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.run.Recovery.GiveUp;
import dev.equipoise.app.run.Recovery.Patience;
import dev.equipoise.app.run.Recovery.Restart;
import dev.equipoise.protocol.FailureCause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecoveryTest {

    private static final Patience PATIENCE =
            new Patience(Duration.ofSeconds(1), Duration.ofSeconds(60));

    private static RunFailure failure(FailureCause cause) {
        return new RunFailure(cause, "broken", "it broke");
    }

    /** Of a run that was 10 rounds far when it was set back before. */
    private static Recovery recovery(FailureCause cause, int allowed, int fruitless, long reached) {
        return Recovery.of(failure(cause), allowed, fruitless, 10, reached, PATIENCE);
    }

    @Test
    void aUsersMistakeIsNeverTriedAgain() {
        assertThat(recovery(FailureCause.USER, 5, 0, 11))
                .isEqualTo(new GiveUp(failure(FailureCause.USER)));
    }

    @Test
    void eachFailureInARowWaitsForTwiceAsLong() {
        assertThat(recovery(FailureCause.WORKER, 9, 0, 10))
                .isEqualTo(new Restart(1, Duration.ofSeconds(1)));
        assertThat(recovery(FailureCause.WORKER, 9, 1, 10))
                .isEqualTo(new Restart(2, Duration.ofSeconds(2)));
        assertThat(recovery(FailureCause.WORKER, 9, 4, 10))
                .isEqualTo(new Restart(5, Duration.ofSeconds(16)));
        assertThat(recovery(FailureCause.WORKER, 100, 99, 10))
                .isEqualTo(new Restart(100, Duration.ofSeconds(60)));
    }

    @Test
    void whoGotFurtherBeginsToCountAgain() {
        assertThat(recovery(FailureCause.WORKER, 5, 5, 11))
                .isEqualTo(new Restart(1, Duration.ofSeconds(1)));
    }

    @Test
    void whoGetsNoFurtherIsGivenUpWithTheReason() {
        assertThat(recovery(FailureCause.WORKER, 5, 5, 10))
                .isEqualTo(
                        new GiveUp(
                                new RunFailure(
                                        FailureCause.WORKER,
                                        "broken",
                                        "it broke; it was placed anew 5 times in a row and got no further")));
    }

    @Test
    void withoutRestartsTheFirstFailureIsTheLast() {
        assertThat(recovery(FailureCause.WORKER, 0, 0, 11))
                .isEqualTo(new GiveUp(failure(FailureCause.WORKER)));
        assertThat(recovery(FailureCause.CAPACITY, 0, 0, 11))
                .isEqualTo(new GiveUp(failure(FailureCause.CAPACITY)));
    }

    @Test
    void whatLacksRoomWaitsForItHoweverOften() {
        assertThat(recovery(FailureCause.CAPACITY, 5, 5, 10))
                .isEqualTo(new Restart(5, Duration.ofSeconds(60)));
    }
}
