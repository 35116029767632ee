package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.RunReport.Decided;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the decisions that wait while the service is away or slower than the work. None may be
 * missing, so that too many end the work. Any thread may call.
 */
final class Backlog {

    static final int MAX_DECISIONS = 5_000_000;

    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Admits an event.
     *
     * @throws AssignmentFailed when too many decisions wait
     */
    void admit(AgentEvent event) {
        if (event instanceof Decided && waiting.addAndGet(event.bulk()) > MAX_DECISIONS) {
            throw AssignmentFailed.byWorker(
                    "recording-not-taken",
                    "more than %d recorded decisions wait for the service".formatted(MAX_DECISIONS),
                    null);
        }
    }

    /** Subtracts confirmed events. */
    void release(List<AgentEvent> events) {
        waiting.addAndGet(
                -events.stream()
                        .filter(Decided.class::isInstance)
                        .mapToInt(AgentEvent::bulk)
                        .sum());
    }
}
