package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunEvents;
import dev.equipoise.app.run.RunSnapshot;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Service;

/** Reads run events as log lines for people. */
@Service
class RunLog {

    /** Types of the events that have a log line. */
    static final Set<String> TYPES =
            Set.of(
                    RunEvent.STATE,
                    RunEvent.WAITING,
                    RunEvent.PLACED,
                    RunEvent.PREDICTION,
                    RunEvent.EPOCH,
                    RunEvent.NOTE,
                    RunEvent.SET_BACK,
                    RunEvent.FAILURE);

    private final Runs runs;
    private final EventLog log;
    private final RunEvents events;

    RunLog(Runs runs, EventLog log, RunEvents events) {
        this.runs = runs;
        this.log = log;
        this.events = events;
    }

    /**
     * Returns the lines after a line, oldest first.
     *
     * @param after the line's id; 0 for the beginning
     * @throws Problem {@code not-found} if the run does not exist
     */
    List<LogLine> after(Caller.User caller, RunId id, long after, int limit) {
        RunSnapshot run = runs.snapshot(caller, id);
        return lines(run, log.after(id.value(), after, TYPES, limit));
    }

    /**
     * Returns the lines before a line, newest first.
     *
     * @param before the line's id; {@link Long#MAX_VALUE} for the end
     * @throws Problem {@code not-found} if the run does not exist
     */
    List<LogLine> before(Caller.User caller, RunId id, long before, int limit) {
        RunSnapshot run = runs.snapshot(caller, id);
        return lines(run, log.before(id.value(), before, TYPES, limit));
    }

    private List<LogLine> lines(RunSnapshot run, List<EventLog.Stored> stored) {
        int epochs = run.configuration().training().epochs();
        return stored.stream()
                .map(it -> LogLine.of(it.id(), it.at(), events.read(it), epochs))
                .toList();
    }

    /**
     * Returns the placements of a run, newest generation first.
     *
     * @param before id of an event of the run, exclusive; {@link Long#MAX_VALUE} for the end
     * @throws Problem {@code not-found} if the run does not exist
     */
    List<PlacementView> placements(Caller.User caller, RunId id, long before, int limit) {
        runs.snapshot(caller, id);
        return log.before(id.value(), before, Set.of(RunEvent.PLACED), limit).stream()
                .map(it -> PlacementView.of(it.id(), it.at(), (RunEvent.Placed) events.read(it)))
                .toList();
    }
}
