package dev.equipoise.agent.trace;

import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;

/** Trace of one rank, from its lease to its last event. */
public interface RankTrace {

    /** Trace of a rank that is not traced. */
    RankTrace NONE =
            new RankTrace() {
                @Override
                public void passed(RunNotes.Stage stage) {}

                @Override
                public void heard(RunReport event) {}

                @Override
                public void end(Outcome last) {}
            };

    void passed(RunNotes.Stage stage);

    void heard(RunReport event);

    /** Ends the trace; a second end changes nothing. */
    void end(Outcome last);
}
