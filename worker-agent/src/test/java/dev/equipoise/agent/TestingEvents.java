package dev.equipoise.agent;

import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Phases;
import dev.equipoise.protocol.AgentEvent.Traffic;
import dev.equipoise.protocol.AgentEvent.Updates;
import java.util.List;

/** What agents tell, made up. */
public final class TestingEvents {

    private TestingEvents() {}

    public static EpochFinished epoch(int rank, int epoch, int samples) {
        return new EpochFinished(
                rank,
                epoch,
                samples,
                new Phases(1, 0, 0.1, 0.1, 0, 0),
                1.2,
                new Traffic(1_000, 0, 0, 10),
                new Updates(10, 0.1, List.of(), 0),
                0.5,
                null,
                null,
                null,
                "00");
    }
}
