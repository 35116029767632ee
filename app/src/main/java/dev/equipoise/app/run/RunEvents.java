package dev.equipoise.app.run;

import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes run events to the event log and reads them back. The writer holds the lock of the run, so
 * that the ids of its events grow in the order of commits: a reader asks for the ids after the last
 * one that it has seen.
 */
@Component
public class RunEvents {

    /** Limit of the notes of agents; the last 100 notes are reserved for the service. */
    static final int MAX_NOTES_OF_AGENTS = RunReport.Noted.MAX_OF_A_RUN - 100;

    private final EventLog log;
    private final JsonMapper json;

    RunEvents(EventLog log, JsonMapper json) {
        this.log = log;
        this.json = json;
    }

    /** Appends an event of a run that the caller has locked. */
    void append(UUID run, RunEvent event) {
        log.append(run, entry(event));
    }

    /**
     * Appends the same event to many runs that the caller has locked or created, in their order.
     */
    void append(List<UUID> runs, RunEvent event) {
        if (runs.isEmpty()) {
            return;
        }
        log.append(runs, entry(event));
        if (event instanceof RunEvent.Waits) {
            log.deleteOldWaiting(runs);
        }
    }

    private EventLog.Entry entry(RunEvent event) {
        return new EventLog.Entry(event.type(), event.isFleeting(), json.writeValueAsString(event));
    }

    /**
     * Appends a note of the service to a placed run that the caller has locked, unless the run has
     * too many notes.
     */
    void note(UUID run, String text) {
        note(run, new RunEvent.Noted(null, null, text), RunReport.Noted.MAX_OF_A_RUN);
    }

    /**
     * Appends a note about a rank of a placed run, unless the run has reached its limit of such
     * notes. The last 100 are reserved for the service, so that no rank can use all.
     */
    void note(RunRank rank, String text) {
        var noted = new RunEvent.Noted(rank.rank(), rank.workerName(), text);
        note(rank.getId().runId(), noted, MAX_NOTES_OF_AGENTS);
    }

    private void note(UUID run, RunEvent.Noted noted, int most) {
        if (log.countNote(run, most)) {
            append(run, noted);
        }
    }

    /**
     * Returns a stored event with at most some of its metric points; the same event if it has no
     * more.
     *
     * @param most at least 1
     */
    public EventLog.Stored thinned(EventLog.Stored stored, int most) {
        return stored.type().equals(RunEvent.METRICS)
                        && read(stored) instanceof RunEvent.Metrics all
                        && all.steps().size() > most
                ? stored.with(json.writeValueAsString(all.thinned(most)))
                : stored;
    }

    /** Reads a stored event. */
    public RunEvent read(EventLog.Stored stored) {
        return json.readValue(stored.body(), RunEvent.class);
    }
}
