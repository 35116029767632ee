package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.agent.TestingEvents;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.RunReport.Strand;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {

    private static final Decided FULL =
            new Decided(0, 1, Strand.MAIN, Collections.nCopies(Decided.MAX_CHOICES, 1));

    private final Backlog backlog = new Backlog();

    private void fill() {
        for (int i = 0; i < Backlog.MAX_DECISIONS / FULL.bulk(); i++) {
            backlog.admit(FULL);
        }
    }

    @Test
    void tooManyDecisionsEndTheWork() {
        fill();

        assertThatThrownBy(() -> backlog.admit(FULL))
                .isInstanceOf(AssignmentFailed.class)
                .hasMessageContaining("more than 5000000 recorded decisions wait");
    }

    @Test
    void confirmedDecisionsAreReleased() {
        fill();
        backlog.release(List.of(FULL, TestingEvents.epoch(0, 1, 100)));

        backlog.admit(FULL);
    }

    @Test
    void figuresOfAnEpochAreAlwaysAdmitted() {
        fill();

        backlog.admit(TestingEvents.epoch(0, 1, 100));
    }
}
