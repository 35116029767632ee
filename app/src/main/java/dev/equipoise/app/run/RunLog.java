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
        int epochs = run.configuration().training().epochs();
        return events.readableAfter(run.id(), after, limit).stream()
                .map(it -> LogLine.of(it.id(), it.at(), events.read(it), epochs))
                .toList();
    }
}
