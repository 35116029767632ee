package dev.equipoise.agent.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.RunReport.Strand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingTest {

    private final Recording recording = new Recording(2, 20_000);
    private final List<Decided> reported = new ArrayList<>();

    private static int noFreeChoice() {
        throw new AssertionError("a replay must not choose freely");
    }

    private void decide(Strand strand, int... choices) {
        for (int choice : choices) {
            assertThat(recording.of(strand).choose(() -> choice)).isEqualTo(choice);
        }
    }

    private void end(int epoch) {
        recording.end(epoch, event -> reported.add((Decided) event));
    }

    private Replaying replaying() {
        var replaying = new Replaying(2);
        reported.forEach(replaying::add);
        return replaying;
    }

    private static void assertReplays(Replaying replaying, Strand strand, int... choices) {
        for (int choice : choices) {
            assertThat(replaying.of(strand).choose(RecordingTest::noFreeChoice)).isEqualTo(choice);
        }
    }

    @Test
    void reportsTheChoicesOfEachThreadAfterAnEpoch() {
        decide(Strand.MAIN, 3, 1);
        decide(Strand.BACKGROUND, 7);
        end(1);
        decide(Strand.MAIN, 2);
        end(2);
        end(3);

        assertThat(reported)
                .containsExactly(
                        new Decided(2, 1, Strand.MAIN, List.of(3, 1)),
                        new Decided(2, 1, Strand.BACKGROUND, List.of(7)),
                        new Decided(2, 2, Strand.MAIN, List.of(2)));
    }

    @Test
    void manyChoicesAreReportedInSeveralEvents() {
        for (int i = 0; i <= Decided.MAX_CHOICES; i++) {
            decide(Strand.MAIN, i);
        }
        end(1);

        assertThat(reported)
                .extracting(decided -> decided.choices().size())
                .containsExactly(Decided.MAX_CHOICES, 1);
    }

    @Test
    void recordingFailsAboveTheLimit() {
        var small = new Recording(0, 1);
        small.of(Strand.MAIN).choose(() -> 4);
        small.end(1, _ -> {});

        assertThatThrownBy(() -> small.of(Strand.MAIN).choose(() -> 4))
                .isInstanceOf(ReplayDivergence.class)
                .hasMessageContaining("rank 0 has more than 1 decisions to record");
    }

    @Test
    void recordsNothingUnlessThePlanRequestsIt() {
        ExecutionOrder order = ExecutionOrder.of(TestingPlan.tiny(2), 0);
        List<AgentEvent> events = new ArrayList<>();

        assertThat(order.of(Strand.MAIN).choose(() -> 5)).isEqualTo(5);
        assertThat(order.of(Strand.BACKGROUND).isSo(() -> true)).isTrue();
        order.end(1, events::add);

        assertThat(events).isEmpty();
    }

    @Test
    void replayRepeatsTheRecordedChoices() {
        decide(Strand.MAIN, 3, 1);
        end(1);
        end(2);
        decide(Strand.MAIN, 2);
        decide(Strand.BACKGROUND, 0, 9);
        end(3);

        Replaying replaying = replaying();

        assertReplays(replaying, Strand.MAIN, 3, 1);
        replaying.end(1, _ -> {});
        replaying.end(2, _ -> {});
        assertReplays(replaying, Strand.MAIN, 2);
        assertReplays(replaying, Strand.BACKGROUND, 0, 9);
        replaying.end(3, _ -> {});
    }

    @Test
    void replayFailsIfAnEpochMakesMoreOrFewerChoices() {
        decide(Strand.MAIN, 3, 1);
        end(1);
        decide(Strand.MAIN, 2);
        end(2);
        Replaying more = replaying();
        Replaying fewer = replaying();
        assertReplays(more, Strand.MAIN, 3, 1);
        assertReplays(fewer, Strand.MAIN, 3);

        assertThatThrownBy(() -> more.of(Strand.MAIN).choose(RecordingTest::noFreeChoice))
                .isInstanceOf(ReplayDivergence.class)
                .hasMessageContaining("rank 2 makes more decisions in epoch 1");
        assertThatThrownBy(() -> fewer.end(1, _ -> {}))
                .isInstanceOf(ReplayDivergence.class)
                .hasMessageContaining("rank 2 makes fewer decisions in epoch 1");
    }
}
