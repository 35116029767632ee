package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the events of one assignment that the service has not confirmed, in order.
 *
 * <p>A {@link RunReport.RoundReached} replaces the one before it, since only the latest progress
 * counts. All other events are kept; besides traces, curves and decisions, which are limited, these
 * are at most three events for each epoch, or one for each point or link. When curves and traces
 * exceed their limit, the oldest are thinned. An event gets its number with its report, and a
 * report stays unchanged until it is confirmed. The journal holds all unconfirmed events. One
 * thread uses it.
 */
final class Outbox {

    /** Limit of waiting points and slices. */
    static final int MAX_BULK = 1_000_000;

    private final Journal journal;
    private final Deque<AgentEvent> waiting = new ArrayDeque<>();
    private int bulk;
    private long nextSequence = 1;
    private @Nullable Report open;
    private boolean isEnded;
    private boolean isComplete;

    Outbox(Journal journal) {
        this.journal = journal;
    }

    /** Continues with the unconfirmed events of an earlier process. */
    static Outbox of(Journal.Unsent unsent, Journal journal) {
        var before = new Outbox(new Journal(unsent.owner(), null));
        before.nextSequence = unsent.next();
        before.open = unsent.open();
        before.isEnded = before.open != null && before.open.events().getLast() instanceof Outcome;
        unsent.then().forEach(before::replay);

        var outbox = new Outbox(journal);
        outbox.nextSequence = before.nextSequence;
        outbox.open = before.open;
        outbox.isEnded = before.isEnded;
        outbox.isComplete = before.isComplete;
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

    /** Returns the number of unconfirmed events. */
    int size() {
        return waiting.size() + (open == null ? 0 : open.events().size());
    }

    /** Adds an event; events behind the last one are ignored. */
    void add(AgentEvent event) {
        if (isEnded) {
            return;
        }
        if (event instanceof RunReport.RoundReached
                && waiting.peekLast() instanceof RunReport.RoundReached) {
            waiting.removeLast();
        }
        waiting.addLast(event);
        bulk += thinnable(event);
        isEnded = event instanceof Outcome;
        if (bulk > MAX_BULK) {
            thinOldest();
            write();
        } else if (!journal.added(event)) {
            write();
        }
    }

    /** Thins the oldest events to three quarters of the limit, as far as events can be thinned. */
    private void thinOldest() {
        List<AgentEvent> events = List.copyOf(waiting);
        waiting.clear();
        for (AgentEvent event : events) {
            AgentEvent kept = bulk > MAX_BULK / 4 * 3 ? thinned(event) : event;
            bulk -= thinnable(event) - thinnable(kept);
            waiting.addLast(kept);
        }
    }

    private static AgentEvent thinned(AgentEvent event) {
        return switch (event) {
            case RunReport.Traced traced -> traced.withoutSlices();
            case RunReport.Observed observed -> observed.thinned();
            default -> event;
        };
    }

    /** Returns the number of points that thinning may remove. */
    private static int thinnable(AgentEvent event) {
        return event instanceof RunReport.Traced || event instanceof RunReport.Observed
                ? event.bulk()
                : 0;
    }

    private void write() {
        journal.rewrite(nextSequence, open, waiting);
    }

    /** Returns whether the last event has been added. */
    boolean isEnded() {
        return isEnded;
    }

    /** Replaces all unconfirmed events with this last one. */
    void endWith(Outcome last) {
        open = null;
        waiting.clear();
        waiting.addLast(last);
        bulk = 0;
        isEnded = true;
        write();
    }

    boolean isEmpty() {
        return open == null && waiting.isEmpty();
    }

    /** Returns whether an event waits that must be sent without delay. */
    boolean isUrgent() {
        return open != null
                || waiting.size() >= Report.MAX_EVENTS
                || waiting.stream().anyMatch(Outbox::isUrgent);
    }

    /** Returns the report to send: the unconfirmed one, or a new one with waiting events. */
    Report report() {
        if (open == null) {
            open = new Report(journal.owner().generation(), nextSequence, takeWaiting());
            if (!journal.reported()) {
                write();
            }
        }
        return open;
    }

    /** Records that the service has confirmed the report. */
    void confirm() {
        if (open != null) {
            nextSequence += open.events().size();
            isComplete = open.events().getLast() instanceof Outcome;
            open = null;
            if (!journal.confirmed(waiting.isEmpty())) {
                write();
            }
        }
    }

    /** Returns whether the service has confirmed the last event. */
    boolean isComplete() {
        return isComplete;
    }

    private List<AgentEvent> takeWaiting() {
        List<AgentEvent> batch = new ArrayList<>();
        int batchBulk = 0;
        while (!waiting.isEmpty() && batch.size() < Report.MAX_EVENTS) {
            batchBulk += waiting.getFirst().bulk();
            if (batchBulk > Report.MAX_BULK) {
                break;
            }
            bulk -= thinnable(waiting.getFirst());
            batch.add(waiting.removeFirst());
        }
        return batch;
    }

    private static boolean isUrgent(AgentEvent event) {
        return switch (event) {
            case RunReport.ReplicaReady _, EpochFinished _, Outcome _ -> true;
            case RunReport.RoundReached _,
                    RunReport.Observed _,
                    RunReport.PhasesElapsed _,
                    RunReport.Traced _,
                    RunReport.Decided _,
                    RunReport.Noted _,
                    ProfileReport _,
                    LinkReport _,
                    AgentEvent.Unknown _ ->
                    false;
        };
    }
}
