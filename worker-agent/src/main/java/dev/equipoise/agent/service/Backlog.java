package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.AgentEvent.Traced;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds what waits of that of which there may be much: while the service is away, or slower than
 * the work, traces beyond the bound lose their slices and curves their points, and say how many;
 * decisions, of which none may be missing, end the work. Any thread may call.
 */
final class Backlog {

    static final int MOST_BULK = 1_000_000;
    static final int MOST_IN_ALL = 5 * MOST_BULK;

    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * What is to wait of an event.
     *
     * @throws AssignmentFailed where there is no room for decisions
     */
    AgentEvent admit(AgentEvent event) {
        AgentEvent admitted = waiting.get() + event.bulk() > MOST_BULK ? shortened(event) : event;
        if (waiting.addAndGet(admitted.bulk()) > MOST_IN_ALL && event instanceof Decided) {
            throw AssignmentFailed.byWorker(
                    "recording-not-taken",
                    "more than %d decisions wait for the service to take them"
                            .formatted(MOST_IN_ALL),
                    null);
        }
        return admitted;
    }

    private static AgentEvent shortened(AgentEvent event) {
        return switch (event) {
            case Traced traced -> traced.withoutSlices();
            case Observed observed -> observed.withoutPoints();
            default -> event;
        };
    }

    /** These wait no more. */
    void release(List<AgentEvent> events) {
        waiting.addAndGet(-events.stream().mapToInt(AgentEvent::bulk).sum());
    }
}
