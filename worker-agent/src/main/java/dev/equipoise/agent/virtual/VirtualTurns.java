package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.order.OrderImpossible;
import dev.equipoise.agent.order.Turns;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * For the actors of one rank. What is done in a turn must not hand on that of the scheduler, so
 * that nobody ever comes while another one is at it; who comes too early waits.
 */
final class VirtualTurns implements Turns {

    private final Scheduler scheduler;
    private final int rank;
    private int over;
    private long overAt;
    private final List<Actor> waiting = new ArrayList<>();
    private @Nullable String closedBecause;

    VirtualTurns(Scheduler scheduler, int rank) {
        this.scheduler = scheduler;
        this.rank = rank;
    }

    @Override
    public void enter(Decisions decisions) {
        Actor caller = caller();
        scheduler.catchUp(caller);
        int turn = decisions.choose(() -> over);
        while (over < turn && closedBecause == null) {
            waiting.add(caller);
            scheduler.block(caller, "turn " + turn);
            caller.advanceTo(overAt);
        }
        if (over > turn) {
            throw new OrderImpossible(
                    "rank %d has turn %d behind it: %d are over".formatted(rank, turn, over));
        }
        if (over < turn) {
            throw new ChannelFailed(
                    Reason.CLOSED,
                    "rank %d does not come to turn %d: %d are over, %s"
                            .formatted(rank, turn, over, closedBecause));
        }
    }

    @Override
    public void leave() {
        over++;
        overAt = caller().at;
        wake(overAt);
    }

    /** Nobody waits any more; by whoever has the scheduler's turn. */
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
                    "the turns of rank %d are its body's and its background's".formatted(rank));
        }
        return caller;
    }
}
