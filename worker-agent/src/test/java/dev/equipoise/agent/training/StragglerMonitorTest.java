package dev.equipoise.agent.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.EpochFinished.WeightUpdates;
import dev.equipoise.protocol.RunReport.Noted;
import dev.equipoise.protocol.RunReport.RoundReached;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StragglerMonitorTest {

    private final List<Noted> notes = new ArrayList<>();
    private final StragglerMonitor monitor = new StragglerMonitor(new RunNotes(0, notes::add));

    private void epoch(int number, double waitSeconds) {
        monitor.accept(
                new EpochFinished(
                        0,
                        number,
                        100,
                        new Phases(4 - waitSeconds, 0, 0, waitSeconds, 0, 0),
                        4,
                        new Traffic(0, 0, 0, 0),
                        new WeightUpdates(1, 0.1, List.of(1L), 0),
                        0.5,
                        null,
                        null,
                        null,
                        "p"));
    }

    @Test
    void notesWhenWaitingForMostOfAnEpochBeginsAndEnds() {
        epoch(1, 2);
        epoch(2, 3);
        monitor.accept(new RoundReached(0, 3, 1));
        epoch(3, 3.5);
        epoch(4, 1);
        epoch(5, 0);

        assertThat(notes)
                .extracting(Noted::text)
                .containsExactly(
                        "waits for its peers for most of the time: 3.000 of the 4.000 s of epoch 2",
                        "waits for its peers for less than half of the time: 1.000 of the 4.000 s"
                                + " of epoch 4");
    }
}
