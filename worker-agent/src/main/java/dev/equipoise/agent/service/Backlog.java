package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Traced;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds what waits of that of which there may be much: while the service is away, or slower than
 * the work, traces beyond the bound lose their slices, and say how many. Any thread may call.
 */
final class Backlog {

    static final int MOST_BULK = 1_000_000;

    private final AtomicInteger waiting = new AtomicInteger();

    /** What is to wait of an event. */
    AgentEvent admit(AgentEvent event) {
        AgentEvent admitted =
                event instanceof Traced traced && waiting.get() + event.bulk() > MOST_BULK
                        ? traced.withoutSlices()
                        : event;
        waiting.addAndGet(admitted.bulk());
        return admitted;
    }

    /** These wait no more. */
    void release(List<AgentEvent> events) {
        waiting.addAndGet(-events.stream().mapToInt(AgentEvent::bulk).sum());
    }
}
