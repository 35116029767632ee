package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import java.util.List;
import org.springframework.stereotype.Service;

/** What happened to runs, in the words in which people read it. */
@Service
class RunLog {

    private final Runs runs;
    private final RunEvents events;

    RunLog(Runs runs, RunEvents events) {
        this.runs = runs;
        this.events = events;
    }

    /**
     * What follows a line, the first first.
     *
     * @param after the line's id; 0 for the beginning
     * @throws Problem {@code not-found} where there is no such run
     */
    List<LogLine> after(Caller.User caller, RunId id, long after, int limit) {
        Run run = runs.require(caller, id);
        return lines(run, events.readableAfter(run.id(), after, limit));
    }

    /**
     * What came before a line, the last first.
     *
     * @param before the line's id; {@link Long#MAX_VALUE} for the end
     * @throws Problem {@code not-found} where there is no such run
     */
    List<LogLine> before(Caller.User caller, RunId id, long before, int limit) {
        Run run = runs.require(caller, id);
        return lines(run, events.readableBefore(run.id(), before, limit));
    }

    private List<LogLine> lines(Run run, List<RunEvents.Stored> stored) {
        int epochs = run.configuration().training().epochs();
        return stored.stream()
                .map(it -> LogLine.of(it.id(), it.at(), events.read(it), epochs))
                .toList();
    }

    /**
     * Who had which part of it, the newest generation first.
     *
     * @param before an event of the run, behind which nothing is told; {@link Long#MAX_VALUE} for
     *     the end
     * @throws Problem {@code not-found} where there is no such run
     */
    List<PlacementView> placements(Caller.User caller, RunId id, long before, int limit) {
        Run run = runs.require(caller, id);
        return events.placements(run.id(), before, limit).stream()
                .map(it -> PlacementView.of(it.id(), it.at(), (RunEvent.Placed) events.read(it)))
                .toList();
    }
}
