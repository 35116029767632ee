package dev.equipoise.agent.replica;

import dev.equipoise.agent.service.Notes;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.EpochFinished;
import java.util.Locale;
import java.util.function.Consumer;

/** Notes from which epoch on a rank waits for its peers for most of the time, and to which. */
final class Waits implements Consumer<AgentEvent> {

    /** More than this part of an epoch is worth telling. */
    private static final double MOST = 0.5;

    private final Notes notes;
    private boolean waits;

    Waits(Notes notes) {
        this.notes = notes;
    }

    @Override
    public void accept(AgentEvent event) {
        if (event instanceof EpochFinished finished) {
            double seconds = finished.phases().waitSeconds();
            boolean now = seconds > MOST * finished.wallSeconds();
            if (now != waits) {
                notes.tell(
                        String.format(
                                Locale.ROOT,
                                "waits for its peers for %s: %.3f of the %.3f s of epoch %d",
                                now ? "most of the time" : "less than half of the time",
                                seconds,
                                finished.wallSeconds(),
                                finished.epoch()));
            }
            waits = now;
        }
    }
}
