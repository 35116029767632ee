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
 * bounded, at most two events an epoch, or one a point or a link, wait. Where curves and traces
 * come to more than is kept, the oldest are thinned. An event gets its number when it goes into a
 * report, and a report stays the same until it is confirmed. What is not confirmed is in the
 * journal as well. One thread uses it.
 */
final class Outbox {

    /** Points and slices that wait. */
    static final int MOST_BULK = 1_000_000;

    private final Journal journal;
    private final Deque<AgentEvent> waiting = new ArrayDeque<>();
    private int bulk;
    private long nextSequence = 1;
    private @Nullable Report open;
    private boolean ended;
    private boolean complete;

    Outbox(Journal journal) {
        this.journal = journal;
    }

    /** What another process has left, which is told from where it was. */
    static Outbox of(Journal.Unsent unsent, Journal journal) {
        var before = new Outbox(new Journal(unsent.owner(), null));
        before.nextSequence = unsent.next();
        before.open = unsent.open();
        before.ended = before.open != null && before.open.events().getLast().isLast();
        unsent.then().forEach(before::replay);

        var outbox = new Outbox(journal);
        outbox.nextSequence = before.nextSequence;
        outbox.open = before.open;
        outbox.ended = before.ended;
        outbox.complete = before.complete;
        outbox.waiting.addAll(before.waiting);
        outbox.bulk = before.bulk;
        outbox.write();
        return outbox;
    }

    private void replay(Journal.Entry entry) {
        switch (entry) {
            case Journal.Entry.Added(var event) -> add(event);
            case Journal.Entry.Reported _ -> report();
            case Journal.Entry.Confirmed _ -> confirm();
        }
    }

    /** How many events are not confirmed. */
    int size() {
        return waiting.size() + (open == null ? 0 : open.events().size());
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
        bulk += thinnable(event);
        ended = event.isLast();
        if (bulk > MOST_BULK) {
            thinOldest();
            write();
        } else if (!journal.added(event)) {
            write();
        }
    }

    /** Down to three quarters of what may wait, where there is that much of which less would do. */
    private void thinOldest() {
        List<AgentEvent> all = List.copyOf(waiting);
        waiting.clear();
        for (AgentEvent event : all) {
            AgentEvent kept = bulk > MOST_BULK / 4 * 3 ? thinned(event) : event;
            bulk -= thinnable(event) - thinnable(kept);
            waiting.addLast(kept);
        }
    }

    private static AgentEvent thinned(AgentEvent event) {
        return switch (event) {
            case AgentEvent.Traced traced -> traced.withoutSlices();
            case AgentEvent.Observed observed -> observed.thinned();
            default -> event;
        };
    }

    /** Figures of which some may be missing. */
    private static int thinnable(AgentEvent event) {
        return event instanceof AgentEvent.Traced || event instanceof AgentEvent.Observed
                ? event.bulk()
                : 0;
    }

    private void write() {
        journal.rewrite(nextSequence, open, waiting);
    }

    /** Whether something is to be told yet that says how it ended. */
    boolean isEnded() {
        return ended;
    }

    /** Says this, and nothing of what is not confirmed yet. */
    void endWith(AgentEvent last) {
        open = null;
        waiting.clear();
        waiting.addLast(last);
        bulk = 0;
        ended = true;
        write();
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
            open = new Report(journal.owner().generation(), nextSequence, takeWaiting());
            if (!journal.reported()) {
                write();
            }
        }
        return open;
    }

    /** The service has the report. */
    void confirm() {
        if (open != null) {
            nextSequence += open.events().size();
            complete = open.events().getLast().isLast();
            open = null;
            if (!journal.confirmed(waiting.isEmpty())) {
                write();
            }
        }
    }

    /** Whether the service has the event that nothing follows. */
    boolean isComplete() {
        return complete;
    }

    private List<AgentEvent> takeWaiting() {
        List<AgentEvent> batch = new ArrayList<>();
        int taken = 0;
        while (!waiting.isEmpty() && batch.size() < Report.MAX_EVENTS) {
            taken += waiting.getFirst().bulk();
            if (taken > Report.MAX_BULK) {
                break;
            }
            bulk -= thinnable(waiting.getFirst());
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
                    AgentEvent.Traced _,
                    AgentEvent.Unknown _ ->
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
