package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.RunReport.Noted;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunNotesTest {

    private final List<Noted> sent = new ArrayList<>();

    @Test
    void sendsAHundredNotesAndTheLastSaysThatNoMoreFollow() {
        var notes = new RunNotes(3, sent::add);

        for (int number = 1; number <= 150; number++) {
            notes.report("note " + number);
        }

        assertThat(sent).hasSize(Noted.MAX_OF_AN_ASSIGNMENT);
        assertThat(sent.getFirst()).isEqualTo(new Noted(3, "note 1"));
        assertThat(sent.getLast().text()).isEqualTo("has reached its limit of notes");
    }
}
