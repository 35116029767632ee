package dev.equipoise.agent;

import dev.equipoise.agent.status.Vitals;
import dev.equipoise.agent.trace.RunTracer;
import dev.equipoise.protocol.AgentEvent;
import java.util.function.Consumer;

/**
 * Who looks at an agent while it is at work.
 *
 * @param vitals are told how it is
 * @param listener hears what it tells of the training of real runs, in the thread that trains
 */
record Watchers(Vitals vitals, Consumer<AgentEvent> listener, RunTracer tracer) {

    static Watchers none() {
        return new Watchers(new Vitals(), _ -> {}, RunTracer.none());
    }
}
