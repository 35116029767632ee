package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Decided;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds the decisions that wait while the service is away, or slower than the work: as none may be
 * missing, they end the work. Any thread may call.
 */
final class Backlog {

    static final int MOST_DECISIONS = 5_000_000;

    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * An event is to wait.
     *
     * @throws AssignmentFailed where there is no room for decisions
     */
    void admit(AgentEvent event) {
        if (event instanceof Decided && waiting.addAndGet(event.bulk()) > MOST_DECISIONS) {
            throw AssignmentFailed.byWorker(
                    "recording-not-taken",
                    "more than %d decisions wait for the service to take them"
                            .formatted(MOST_DECISIONS),
                    null);
        }
    }

    /** These wait no more. */
    void release(List<AgentEvent> events) {
        waiting.addAndGet(
                -events.stream()
                        .filter(Decided.class::isInstance)
                        .mapToInt(AgentEvent::bulk)
                        .sum());
    }
}
