package dev.equipoise.app.schedule;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Synchronization;
import java.util.List;

/**
 * Rank of a method whose ranks complete each exchange together or lose one another: BSP, local SGD
 * and DiLoCo over an all-reduce, compressed or not. In BSP each rank steps by itself, so that the
 * weights depend on how its processor rounds.
 */
final class SynchronousRank extends SimulatedRank {

    /** Rounds between two exchanges. */
    private final int period;

    /** Distinguishes the weights of a processor that rounds otherwise. */
    private final String rounding;

    SynchronousRank(SimulatedAgent agent, SimulatedLab lab, Assignment.Training part) {
        super(agent, lab, part);
        Synchronization synchronization = part.plan().method().synchronization();
        this.period = period(synchronization);
        this.rounding =
                synchronization instanceof Synchronization.Bsp && agent.roundsOtherwise()
                        ? " rounded otherwise"
                        : "";
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
            moveRecoveryPoint("weights " + steps() + rounding);
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
