package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.order.OrderedLock;
import dev.equipoise.agent.order.ReplayDivergence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ordered lock for the actors of one rank. A holder must not pass the control of the scheduler, so
 * that no other actor ever finds the lock held; an actor that comes too early waits.
 */
final class VirtualLock implements OrderedLock {

    private final ActorScheduler scheduler;
    private final int rank;
    private int completed;
    private long lastReleaseAt;
    private final List<Actor> waiting = new ArrayList<>();
    private @Nullable String closedBecause;

    VirtualLock(ActorScheduler scheduler, int rank) {
        this.scheduler = scheduler;
        this.rank = rank;
    }

    @Override
    public void enter(ChoiceSource choices) {
        Actor caller = caller();
        scheduler.catchUp(caller);
        int number = choices.choose(() -> completed);
        while (completed < number && closedBecause == null) {
            waiting.add(caller);
            scheduler.block(caller, "lock acquisition " + number);
            caller.advanceTo(lastReleaseAt);
        }
        if (completed > number) {
            throw new ReplayDivergence(
                    "rank %d cannot make lock acquisition %d: %d are completed"
                            .formatted(rank, number, completed));
        }
        if (completed < number) {
            throw new ChannelFailed(
                    Reason.CLOSED,
                    "rank %d cannot wait for lock acquisition %d (%d are completed): %s"
                            .formatted(rank, number, completed, closedBecause));
        }
    }

    @Override
    public void leave() {
        completed++;
        lastReleaseAt = caller().at;
        wake(lastReleaseAt);
    }

    /** Ends all waits; called by the actor in control. */
    void close(long at, String because) {
        closedBecause = because;
        wake(at);
    }

    private void wake(long at) {
        waiting.forEach(actor -> scheduler.wake(actor, at));
        waiting.clear();
    }

    private Actor caller() {
        Actor caller = scheduler.caller();
        if (caller == null || caller.rank != rank) {
            throw new IllegalStateException(
                    "only the body and the background of rank %d may use its lock".formatted(rank));
        }
        return caller;
    }
}
