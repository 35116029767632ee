package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What became of runs from state to state, for who draws it along the time. */
@Service
public class RunHistory {

    /** Of a run that is placed over and over the first ones tell as much. */
    private static final int MOST_MOMENTS = 2_000;

    private final RunRepository runs;
    private final RunEvents events;

    RunHistory(RunRepository runs, RunEvents events) {
        this.runs = runs;
        this.events = events;
    }

    /**
     * What became of one.
     *
     * @param moments its states, placements, set-backs and failures, in their order
     */
    public record Story(RunId run, String experiment, Instant queuedAt, List<Moment> moments) {

        public Story {
            moments = List.copyOf(moments);
        }
    }

    /** Something happened to it. */
    public record Moment(Instant at, RunEvent event) {}

    /** Empty where there is no such run any more. */
    @Transactional(readOnly = true)
    public Optional<Story> of(RunId id) {
        return runs.findById(id.value())
                .map(run ->
                        new Story(
                                id,
                                run.experimentName(),
                                run.queuedAt(),
                                events.turns(run.id(), MOST_MOMENTS).stream()
                                        .map(it -> new Moment(it.at(), events.read(it)))
                                        .toList()));
    }
}
