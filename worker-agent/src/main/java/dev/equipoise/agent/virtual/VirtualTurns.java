package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.order.Turns;
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
    private @Nullable Actor waiting;
    private @Nullable String closedBecause;

    VirtualTurns(Scheduler scheduler, int rank) {
        this.scheduler = scheduler;
        this.rank = rank;
    }

    @Override
    public void enter(Decisions decisions) {
        Actor caller = caller();
        int turn = decisions.choose(() -> over);
        while (over < turn && closedBecause == null) {
            waiting = caller;
            scheduler.block(caller, "turn " + turn);
            caller.advanceTo(overAt);
        }
        if (over != turn) {
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
        if (waiting != null) {
            Actor woken = waiting;
            waiting = null;
            scheduler.wake(woken, at);
        }
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
