package dev.equipoise.app.run;

import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads the state transitions of runs, for traces and waterfalls. */
@Service
public class RunTimeline {

    /** Limit of the transitions; the first ones suffice for a run that is placed over and over. */
    public static final int MAX_TRANSITIONS = 2_000;

    /** Types of the events that tell the states of a run and their causes. */
    static final Set<String> TRANSITIONS =
            Set.of(RunEvent.STATE, RunEvent.PLACED, RunEvent.SET_BACK, RunEvent.FAILURE);

    private final RunRepository runs;
    private final EventLog log;
    private final RunEvents events;

    RunTimeline(RunRepository runs, EventLog log, RunEvents events) {
        this.runs = runs;
        this.log = log;
        this.events = events;
    }

    /**
     * Timeline of one run.
     *
     * @param endedAt null while the run is open
     * @param events its states, placements, restarts and failures, in their order
     */
    public record Timeline(
            RunId run,
            String experiment,
            Instant queuedAt,
            @Nullable Instant endedAt,
            List<TimedEvent> events) {

        public Timeline {
            events = List.copyOf(events);
        }
    }

    /** Run event with its time. */
    public record TimedEvent(Instant at, RunEvent event) {}

    /** Returns empty if the run no longer exists. */
    @Transactional(readOnly = true)
    public Optional<Timeline> of(RunId id) {
        return runs.findById(id.value())
                .map(run ->
                        new Timeline(
                                id,
                                run.experimentName(),
                                run.queuedAt(),
                                run.endedAt(),
                                log.after(run.id(), 0, TRANSITIONS, MAX_TRANSITIONS).stream()
                                        .map(it -> new TimedEvent(it.at(), events.read(it)))
                                        .toList()));
    }
}
