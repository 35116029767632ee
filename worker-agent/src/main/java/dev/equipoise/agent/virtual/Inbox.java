package dev.equipoise.agent.virtual;

import org.jspecify.annotations.Nullable;

/** What comes to a rank, and whichever of its actors waits for it. */
final class Inbox {

    private final int rank;
    private final Scheduler scheduler;
    private final @Nullable Flow[] flows;
    private final Port ingress = new Port();
    private long arrivals;
    private @Nullable Actor waiting;

    /** Of whom a frame is waited for; null for any rank. */
    private @Nullable Flow awaited;

    Inbox(int rank, int size, Scheduler scheduler) {
        this.rank = rank;
        this.scheduler = scheduler;
        this.flows = new Flow[size];
    }

    @Nullable Flow from(int peer) {
        return flows[peer];
    }

    void add(Flow flow) {
        flows[flow.from()] = flow;
    }

    /**
     * Returns when something has come of this flow or, where it is null, of any, or may not come.
     */
    void await(Actor actor, @Nullable Flow flow) {
        if (waiting != null) {
            throw new IllegalStateException("%s exchanges while %s does".formatted(actor, waiting));
        }
        waiting = actor;
        awaited = flow;
        scheduler.block(actor, flow == null ? "a frame of any rank" : flow);
    }

    void arrive(Frame frame) {
        frame.flow.arrive(frame, ingress, arrivals++);
        wake(frame.flow, frame.arrivedAt);
    }

    /** Lets whoever waits for a flow look again, not before a moment. */
    void wake(@Nullable Flow flow, long at) {
        if (isAwaited(flow)) {
            wake(at);
        }
    }

    private boolean isAwaited(@Nullable Flow flow) {
        return awaited == null ? flow != null && flow.isAwaited() : awaited.equals(flow);
    }

    /** Lets whoever waits at all look again, not before a moment. */
    void wake(long at) {
        if (waiting != null) {
            Actor woken = waiting;
            waiting = null;
            scheduler.wake(woken, at);
        }
    }

    /**
     * The first that has a room which is not awaited yet.
     *
     * @throws IllegalStateException where there is none
     */
    Flow anyAwaited() {
        for (Flow flow : flows) {
            if (flow != null && flow.isAwaited()) {
                return flow;
            }
        }
        throw new IllegalStateException(
                "rank %d awaits frames for which it has posted no room".formatted(rank));
    }

    /** That of which the oldest room that is not awaited yet was full first. */
    @Nullable Flow firstFilled() {
        Flow first = null;
        for (Flow flow : flows) {
            if (flow != null && flow.isFilled() && (first == null || flow.isFilledBefore(first))) {
                first = flow;
            }
        }
        return first;
    }

    /** One that is awaited, though its sender is gone and has left nothing. */
    @Nullable Flow anyLost() {
        for (Flow flow : flows) {
            if (flow != null && flow.isAwaited() && flow.isLost()) {
                return flow;
            }
        }
        return null;
    }
}
