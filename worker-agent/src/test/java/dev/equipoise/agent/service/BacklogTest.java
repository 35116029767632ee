package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingEvents;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.AgentEvent.Traced;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {

    private static final Traced FULL = TestingEvents.traced(1, Traced.MOST_SLICES);

    private final Backlog backlog = new Backlog();

    private void fill() {
        for (int i = 0; i < Backlog.MOST_BULK / Traced.MOST_SLICES; i++) {
            assertThat(backlog.admit(FULL)).isSameAs(FULL);
        }
    }

    @Test
    void aTraceForWhichThereIsNoRoomSaysHowMuchIsMissing() {
        fill();

        Traced admitted = (Traced) backlog.admit(FULL);

        assertThat(admitted.phases()).isEmpty();
        assertThat(admitted.dropped()).isEqualTo(Traced.MOST_SLICES);
        assertThat(admitted.epoch()).isEqualTo(FULL.epoch());
    }

    @Test
    void aCurveForWhichThereIsNoRoomSaysHowMuchIsMissing() {
        fill();
        Observed curve =
                new Observed(
                        2,
                        Observed.TRAINING_LOSS,
                        1,
                        List.of(1L, 2L),
                        List.of(0.1, 0.2),
                        List.of(3.0, 2.0),
                        0);

        assertThat(backlog.admit(curve))
                .isEqualTo(
                        new Observed(
                                2, Observed.TRAINING_LOSS, 1, List.of(), List.of(), List.of(), 2));
    }

    @Test
    void whatTheServiceHasMakesRoom() {
        fill();
        backlog.release(List.of(FULL));

        assertThat(backlog.admit(FULL)).isSameAs(FULL);
    }

    @Test
    void figuresOfAnEpochAreNeverDropped() {
        fill();
        AgentEvent epoch = TestingEvents.epoch(0, 1, 100);

        assertThat(backlog.admit(epoch)).isSameAs(epoch);
    }
}
