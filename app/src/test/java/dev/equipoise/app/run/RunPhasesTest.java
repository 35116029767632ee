package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.PreemptionRefusal;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.protocol.FailureCause;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RunPhasesTest {

    private static final Instant NOW = Instant.EPOCH;
    private static final RunFailure FAILURE = new RunFailure(FailureCause.WORKER, "gone", "gone");
    private static final UUID OTHER = new UUID(0, 1);

    @Test
    void progressEndsTheSeriesOfRestartsWithoutProgress() {
        Restarts twice = Restarts.NONE.restarted(FAILURE, 1, 100).reconfigured(100);

        assertThat(twice).isEqualTo(new Restarts(1, FAILURE, 2, 100));
        assertThat(twice.reconfigured(101)).isEqualTo(new Restarts(1, FAILURE, 1, 101));
        assertThat(twice.restarted(FAILURE, 3, 50)).isEqualTo(new Restarts(2, FAILURE, 3, 100));
        assertThat(twice.preempted()).isEqualTo(new Restarts(1, null, 2, 100));
    }

    @Test
    void preemptionRemembersForWhichRunItWas() {
        var refusal = PreemptionRefusal.after(null, "no room", NOW);
        PreemptionState refused = PreemptionState.NONE.requested(OTHER).refused(refusal);

        assertThat(refused).isEqualTo(new PreemptionState(0, null, null, refusal));
        assertThat(refused.requested(OTHER).succeeded())
                .isEqualTo(new PreemptionState(1, null, OTHER, null));
        assertThat(new PreemptionState(1, OTHER, OTHER, refusal).interrupted())
                .isEqualTo(new PreemptionState(1, null, null, null));
    }

    @Test
    void gracePeriodStartsOnce() {
        Suspension started = Suspension.NONE.startGracePeriod(NOW);

        assertThat(started.startGracePeriod(NOW.plusSeconds(1))).isEqualTo(started);
        assertThat(started.requested(true).withoutGracePeriod())
                .isEqualTo(new Suspension(null, true));
    }

    @Test
    void placementEndsTheRestartDelayAndKeepsTheCheckpoint() {
        WaitReason reason = new WaitReason("set-back", "it restarts");
        QueueState again =
                QueueState.entered(reason, NOW)
                        .reentered(reason, NOW.plusSeconds(9), 3, NOW.plusSeconds(5));

        assertThat(again.left()).isEqualTo(new QueueState(NOW, null, null, NOW.plusSeconds(5), 3));
        assertThat(again.ended().notBefore()).isEqualTo(NOW.plusSeconds(9));
    }

    @Test
    void restartDelayEndsAfterItsLengthAndAtAClockJump() {
        WaitReason reason = new WaitReason("set-back", "it restarts");
        QueueState again =
                QueueState.entered(reason, NOW).reentered(reason, NOW.plusSeconds(9), 3, NOW);

        assertThat(QueueState.entered(reason, NOW).isDue(NOW)).isTrue();
        assertThat(again.isDue(NOW.plusSeconds(8))).isFalse();
        assertThat(again.isDue(NOW.plusSeconds(9))).isTrue();
        assertThat(again.isDue(NOW.plusSeconds(3600))).isTrue();
        assertThat(again.isDue(NOW.minusSeconds(3600))).isTrue();
    }

    @Test
    void everyPlacementBeginsAGeneration() {
        PlacementState placed = PlacementState.NONE.placed(3, null, NOW).started(NOW);

        assertThat(placed).isEqualTo(new PlacementState(1, 3, null, NOW, NOW, null));
        assertThat(placed.interrupted()).isEqualTo(new PlacementState(1, 3, null, NOW, null, null));
        assertThat(placed.interrupted().placed(2, null, NOW).generation()).isEqualTo(2);
    }
}
