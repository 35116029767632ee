package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import java.util.List;
import org.springframework.stereotype.Service;

/** What happened to runs, in the words in which people read it. */
@Service
class RunLog {

    /** A run that makes room every few minutes is placed so often in a day. */
    private static final int MOST_PLACEMENTS = 100;

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
        int epochs = run.configuration().training().epochs();
        return events.readableAfter(run.id(), after, limit).stream()
                .map(it -> LogLine.of(it.id(), it.at(), events.read(it), epochs))
                .toList();
    }

    /**
     * Who had which part of it, the newest generation first.
     *
     * @throws Problem {@code not-found} where there is no such run
     */
    List<PlacementController.PlacementView> placements(Caller.User caller, RunId id) {
        Run run = runs.require(caller, id);
        return events.placements(run.id(), MOST_PLACEMENTS).stream()
                .map(it ->
                        PlacementController.PlacementView.of(
                                it.at(), (RunEvent.Placed) events.read(it)))
                .toList();
    }
}
