package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingEvents;
import dev.equipoise.protocol.AgentEvent;
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
