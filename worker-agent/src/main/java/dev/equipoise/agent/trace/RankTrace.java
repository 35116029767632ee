package dev.equipoise.agent.trace;

import dev.equipoise.agent.service.Notes;
import dev.equipoise.protocol.AgentEvent;

/** Of one rank, from its lease to its last word; it hears what the agent tells anyway. */
public interface RankTrace {

    /** Of a rank that nobody traces. */
    RankTrace NONE =
            new RankTrace() {
                @Override
                public void passed(Notes.Stage stage) {}

                @Override
                public void heard(AgentEvent event) {}

                @Override
                public void end(AgentEvent last) {}
            };

    void passed(Notes.Stage stage);

    void heard(AgentEvent event);

    /** Nothing follows, and a second end changes nothing. */
    void end(AgentEvent last);
}
