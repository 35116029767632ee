package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.AgentEvent.Noted;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotesTest {

    private final List<Noted> told = new ArrayList<>();

    @Test
    void aHundredAreToldAndTheLastSaysThatNoMoreFollow() {
        var notes = new Notes(3, told::add);

        for (int number = 1; number <= 150; number++) {
            notes.tell("note " + number);
        }

        assertThat(told).hasSize(Noted.MOST_OF_AN_ASSIGNMENT);
        assertThat(told.getFirst()).isEqualTo(new Noted(3, "note 1"));
        assertThat(told.getLast().text()).isEqualTo("has noted enough, and notes no more");
    }
}
