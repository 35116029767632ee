package dev.equipoise.app.observability;

import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunTimeline.TimedEvent;
import dev.equipoise.app.run.RunTimeline.Timeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Interval of a run: in the queue, from placement to start, or training.
 *
 * @param generation last placed generation; 0 before the first
 */
record RunInterval(Kind kind, int generation, Instant from, Instant until) {

    /** Activity of a run, as the service sees it. */
    enum Kind {
        QUEUED,
        PLACEMENT,
        TRAINING
    }

    /** Returns the intervals of a run, one after the other. */
    static List<RunInterval> of(Timeline timeline) {
        List<RunInterval> intervals = new ArrayList<>();
        Kind kind = Kind.QUEUED;
        Instant from = timeline.queuedAt();
        int generation = 0;
        for (TimedEvent timed : timeline.events()) {
            if (timed.event() instanceof RunEvent.Placed placed) {
                generation = placed.generation();
            } else if (timed.event() instanceof RunEvent.State(RunState state)) {
                Kind next = kind(state);
                // A reconfigured run is placed again; a run that prepares is not.
                if (kind != null && (next != kind || state == RunState.PLACED)) {
                    intervals.add(new RunInterval(kind, generation, from, timed.at()));
                }
                from = next == kind && state != RunState.PLACED ? from : timed.at();
                kind = next;
            }
        }
        return intervals;
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
