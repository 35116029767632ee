package dev.equipoise.agent.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.service.Notes;
import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Noted;
import dev.equipoise.protocol.AgentEvent.Phases;
import dev.equipoise.protocol.AgentEvent.RoundReached;
import dev.equipoise.protocol.AgentEvent.Traffic;
import dev.equipoise.protocol.AgentEvent.Updates;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitsTest {

    private final List<Noted> told = new ArrayList<>();
    private final Waits waits = new Waits(new Notes(0, told::add));

    private void epoch(int number, double waitSeconds) {
        waits.accept(
                new EpochFinished(
                        0,
                        number,
                        100,
                        new Phases(4 - waitSeconds, 0, 0, waitSeconds, 0, 0),
                        4,
                        new Traffic(0, 0, 0, 0),
                        new Updates(1, 0.1, List.of(1L), 0),
                        0.5,
                        null,
                        null,
                        null,
                        "p"));
    }

    @Test
    void itIsToldWhereMostOfAnEpochIsSpentWaitingAndWhereThatEnds() {
        epoch(1, 2);
        epoch(2, 3);
        waits.accept(new RoundReached(0, 3, 1));
        epoch(3, 3.5);
        epoch(4, 1);
        epoch(5, 0);

        assertThat(told)
                .extracting(Noted::text)
                .containsExactly(
                        "waits for its peers for most of the time: 3.000 of the 4.000 s of epoch 2",
                        "waits for its peers for less than half of the time: 1.000 of the 4.000 s of epoch 4");
    }
}
