package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogLineTest {

    private static final Instant AT = Instant.parse("2026-01-05T08:00:00.123456Z");

    private static String line(RunEvent event) {
        return LogLine.of(1, AT, event, 10).line();
    }

    @Test
    void lineHasTimeSourceAndText() {
        assertThat(line(new RunEvent.State(RunState.RUNNING)))
                .isEqualTo("2026-01-05T08:00:00.123Z service is RUNNING");
        assertThat(line(new RunEvent.Noted(1, "north", "has met its 2 peers")))
                .isEqualTo("2026-01-05T08:00:00.123Z rank 1 (north) has met its 2 peers");
        assertThat(line(new RunEvent.Waits(new WaitReason("too-few-workers", "3 are needed"))))
                .endsWith(" service waits (too-few-workers): 3 are needed");
        assertThat(line(new RunEvent.Predicted(new Prediction(3, 1, 4, 4, 0.25, 100L, List.of()))))
                .endsWith(" should take 4.000 s an epoch, between 3.200 and 5.000");
    }

    @Test
    void epochLineHasItsFigures() {
        var slow = new RunEvent.EpochRank(0, 500, 2.5, 1000, 0.5, null, null);
        var fast = new RunEvent.EpochRank(1, 500, 2, 500, 0.5, null, null);

        assertThat(line(new RunEvent.Epoch(3, 300, 0.75, 0.4, 0.5, null, List.of(slow, fast))))
                .endsWith(
                        " epoch 3 of 10 is over: loss 0.5000, test accuracy 0.7500, 2.500 s, 1500 bytes sent");
        assertThat(line(new RunEvent.Epoch(3, 300, null, null, 0.5, null, List.of(slow))))
                .endsWith(" loss 0.5000, 2.500 s, 1000 bytes sent");
    }

    @Test
    void multiLineTextBecomesOneLine() {
        assertThat(
                        line(
                                new RunEvent.Failed(
                                        new RunFailure(
                                                FailureCause.WORKER, "internal-error", "a\nb"))))
                .endsWith(" service fails with a worker failure (internal-error): a b");
    }

    @Test
    void placementLineNamesTheFirstRanks() {
        List<RunEvent.PlacedRank> ranks =
                IntStream.range(0, 18)
                        .mapToObj(it ->
                                new RunEvent.PlacedRank(
                                        it, WorkerId.of(new UUID(0, it)), "w" + it, 100, List.of()))
                        .toList();

        assertThat(line(new RunEvent.Placed(2, ranks)))
                .contains(
                        " service generation 2: rank 0 on w0 (100 samples an epoch), rank 1 on w1")
                .endsWith("rank 15 on w15 (100 samples an epoch) and 2 more");
    }
}
