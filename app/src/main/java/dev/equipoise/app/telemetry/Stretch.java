package dev.equipoise.app.telemetry;

import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunHistory.Moment;
import dev.equipoise.app.run.RunHistory.Story;
import dev.equipoise.app.run.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a run's time: it waited in the queue, its ranks were placed and got ready, or they
 * trained.
 *
 * @param generation the last that was placed; 0 before the first
 */
record Stretch(Kind kind, int generation, Instant from, Instant until) {

    /** What a run does, as the service sees it. */
    enum Kind {
        QUEUED,
        PLACEMENT,
        TRAINING
    }

    /** All of a run's, one after the other. */
    static List<Stretch> of(Story story) {
        List<Stretch> stretches = new ArrayList<>();
        Kind kind = Kind.QUEUED;
        Instant from = story.queuedAt();
        int generation = 0;
        for (Moment moment : story.moments()) {
            if (moment.event() instanceof RunEvent.Placed placed) {
                generation = placed.generation();
            } else if (moment.event() instanceof RunEvent.State(RunState state)) {
                Kind next = kind(state);
                // A run that goes on with other ranks is placed anew; one that prepares is not.
                if (kind != null && (next != kind || state == RunState.PLACED)) {
                    stretches.add(new Stretch(kind, generation, from, moment.at()));
                }
                from = next == kind && state != RunState.PLACED ? from : moment.at();
                kind = next;
            }
        }
        return stretches;
    }

    private static @Nullable Kind kind(RunState state) {
        return switch (state) {
            case QUEUED -> Kind.QUEUED;
            case PLACED, PREPARING -> Kind.PLACEMENT;
            case RUNNING -> Kind.TRAINING;
            case COMPLETED, FAILED, CANCELLED -> null;
        };
    }
}
