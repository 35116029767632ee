package dev.equipoise.app.schedule;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Synchronization;
import java.util.List;

/**
 * Rank of a method whose ranks complete each exchange together or lose one another: BSP, local SGD
 * and DiLoCo over an all-reduce, compressed or not.
 */
final class SynchronousRank extends SimulatedRank {

    /** Rounds between two exchanges. */
    private final int period;

    SynchronousRank(SimulatedAgent agent, SimulatedLab lab, Assignment.Training part) {
        super(agent, lab, part);
        this.period = period(part.plan().method().synchronization());
    }

    private static int period(Synchronization synchronization) {
        return switch (synchronization) {
            case Synchronization.LocalSgd local -> local.period();
            case Synchronization.DiLoCo outer -> outer.period();
            case Synchronization.Bsp _,
                    Synchronization.Async _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    1;
        };
    }

    @Override
    void trainRound() {
        boolean isExchange = (round() + 1) % period == 0;
        if (!isExchange) {
            step();
        } else if (peers().stream().allMatch(it -> it.hasSentFor(part(), steps()))) {
            step();
            moveRecoveryPoint("weights " + steps());
        } else {
            interruptAfterLoss();
        }
    }

    @Override
    boolean mayVote() {
        return true;
    }

    @Override
    void awaitVotes() {
        interruptAfterLoss();
    }

    private void interruptAfterLoss() {
        List<Integer> missing = missing();
        if (!missing.isEmpty() || peers().stream().anyMatch(it -> it.hasLeft(part()))) {
            interrupt(missing);
        }
    }

    @Override
    boolean hasRecoveryPoint() {
        return part().plan().method().canSuspend();
    }
}
