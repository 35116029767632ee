package dev.equipoise.app.run;

import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads the state transitions of runs, for traces. */
@Service
public class RunTimeline {

    /** Limit of the transitions; the first ones suffice for a run that is placed over and over. */
    private static final int MOST_MOMENTS = 2_000;

    /** Types of the events that tell the states of a run and their causes. */
    private static final Set<String> TRANSITIONS = Set.of("state", "placed", "set-back", "failure");

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
     * @param moments its states, placements, restarts and failures, in their order
     */
    public record Story(RunId run, String experiment, Instant queuedAt, List<Moment> moments) {

        public Story {
            moments = List.copyOf(moments);
        }
    }

    /** Run event with its time. */
    public record Moment(Instant at, RunEvent event) {}

    /** Returns empty if the run no longer exists. */
    @Transactional(readOnly = true)
    public Optional<Story> of(RunId id) {
        return runs.findById(id.value())
                .map(run ->
                        new Story(
                                id,
                                run.experimentName(),
                                run.queuedAt(),
                                log.after(run.id(), 0, TRANSITIONS, MOST_MOMENTS).stream()
                                        .map(it -> new Moment(it.at(), events.read(it)))
                                        .toList()));
    }
}
