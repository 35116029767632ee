package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Report;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of one assignment that the service has not confirmed yet, in order.
 *
 * <p>Progress is worth telling only as it is now: a {@link AgentEvent.RoundReached} replaces the
 * one before it. Everything else is kept, so that besides traces, curves and decisions, which are
 * bounded before they come here, at most two events an epoch, or one a point or a link, wait. An
 * event gets its number when it goes into a report, and a report stays the same until it is
 * confirmed. One thread uses it.
 */
final class Outbox {

    private final int generation;
    private final Deque<AgentEvent> waiting = new ArrayDeque<>();
    private long nextSequence = 1;
    private @Nullable Report open;
    private boolean ended;
    private boolean complete;

    Outbox(int generation) {
        this.generation = generation;
    }

    /** What follows the last event is not told. */
    void add(AgentEvent event) {
        if (ended) {
            return;
        }
        if (event instanceof AgentEvent.RoundReached
                && waiting.peekLast() instanceof AgentEvent.RoundReached) {
            waiting.removeLast();
        }
        waiting.addLast(event);
        ended = event.isLast();
    }

    /** Says this, and nothing of what is not confirmed yet. */
    void endWith(AgentEvent last) {
        open = null;
        waiting.clear();
        waiting.addLast(last);
        ended = true;
    }

    boolean isEmpty() {
        return open == null && waiting.isEmpty();
    }

    /** Whether something waits that should not wait for company. */
    boolean isUrgent() {
        return open != null
                || waiting.size() >= Report.MAX_EVENTS
                || waiting.stream().anyMatch(Outbox::isUrgent);
    }

    /** The report to be sent now: the one still unconfirmed, else a new one of what waits. */
    Report report() {
        if (open == null) {
            open = new Report(generation, nextSequence, takeWaiting());
        }
        return open;
    }

    /** The service has the report. */
    void confirm() {
        if (open != null) {
            nextSequence += open.events().size();
            complete = open.events().getLast().isLast();
            open = null;
        }
    }

    /** Whether the service has the event that nothing follows. */
    boolean isComplete() {
        return complete;
    }

    private List<AgentEvent> takeWaiting() {
        List<AgentEvent> batch = new ArrayList<>();
        int bulk = 0;
        while (!waiting.isEmpty() && batch.size() < Report.MAX_EVENTS) {
            bulk += waiting.getFirst().bulk();
            if (bulk > Report.MAX_BULK) {
                break;
            }
            batch.add(waiting.removeFirst());
        }
        return batch;
    }

    private static boolean isUrgent(AgentEvent event) {
        return switch (event) {
            case AgentEvent.RoundReached _,
                    AgentEvent.Observed _,
                    AgentEvent.PointMeasured _,
                    AgentEvent.LinkMeasured _,
                    AgentEvent.AllReduceMeasured _,
                    AgentEvent.Decided _,
                    AgentEvent.Noted _,
                    AgentEvent.Traced _ ->
                    false;
            case AgentEvent.ReplicaReady _,
                    AgentEvent.EpochFinished _,
                    AgentEvent.Preempted _,
                    AgentEvent.Interrupted _,
                    AgentEvent.Finished _,
                    AgentEvent.Failed _ ->
                    true;
        };
    }
}
