package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.status.AgentStatus;
import dev.equipoise.agent.trace.RunTracer;
import dev.equipoise.protocol.RunReport;
import java.util.function.Consumer;

/**
 * Receivers of what an agent does.
 *
 * @param status is updated with the state of the agent
 * @param listener receives the events of real training runs, in the thread that trains
 */
record AgentObservers(AgentStatus status, Consumer<RunReport> listener, RunTracer tracer) {

    static AgentObservers none() {
        return new AgentObservers(new AgentStatus(), _ -> {}, RunTracer.none());
    }
}
