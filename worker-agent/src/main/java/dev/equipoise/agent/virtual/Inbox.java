package dev.equipoise.agent.virtual;

import org.jspecify.annotations.Nullable;

/** The incoming flows of a rank, and the actor that waits for them. */
final class Inbox {

    private final int rank;
    private final ActorScheduler scheduler;
    private final @Nullable Flow[] flows;
    private final Port ingress = new Port();
    private long arrivals;
    private @Nullable Actor waiting;

    /** The flow of which a frame is awaited; null for any flow. */
    private @Nullable Flow awaited;

    Inbox(int rank, int size, ActorScheduler scheduler) {
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
     * Waits until a frame of the flow, or of any flow if it is null, has arrived or cannot arrive
     * anymore.
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

    /** Wakes the actor that waits for a flow, not before a given time. */
    void wake(@Nullable Flow flow, long at) {
        if (isAwaited(flow)) {
            wake(at);
        }
    }

    private boolean isAwaited(@Nullable Flow flow) {
        return awaited == null ? flow != null && flow.isAwaited() : awaited.equals(flow);
    }

    /** Wakes the waiting actor, not before a given time. */
    void wake(long at) {
        if (waiting != null) {
            Actor woken = waiting;
            waiting = null;
            scheduler.wake(woken, at);
        }
    }

    /**
     * Returns the first flow with a receive buffer that is not awaited yet.
     *
     * @throws IllegalStateException if there is none
     */
    Flow anyAwaited() {
        for (Flow flow : flows) {
            if (flow != null && flow.isAwaited()) {
                return flow;
            }
        }
        throw new IllegalStateException(
                "rank %d awaits frames but has posted no receive buffer".formatted(rank));
    }

    /** Returns the flow whose oldest receive buffer not awaited yet was full first. */
    @Nullable Flow firstFilled() {
        Flow first = null;
        for (Flow flow : flows) {
            if (flow != null && flow.isFilled() && (first == null || flow.isFilledBefore(first))) {
                first = flow;
            }
        }
        return first;
    }

    /** Returns an awaited flow whose sender is closed and has left no frame. */
    @Nullable Flow anyLost() {
        for (Flow flow : flows) {
            if (flow != null && flow.isAwaited() && flow.isLost()) {
                return flow;
            }
        }
        return null;
    }
}
