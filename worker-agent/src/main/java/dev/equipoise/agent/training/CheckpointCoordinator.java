package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.protocol.ReportReply;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Stores the checkpoints of one rank, and stops or suspends the training after an epoch when the
 * service asks for it. The request reaches the ranks at different times, so they vote at the end of
 * each epoch and stop after the same epoch, once the service has the checkpoint parts of all ranks.
 * The vote takes place between two epochs, so the figures of an epoch exclude it.
 */
final class CheckpointCoordinator {

    private final Checkpoints checkpoints;
    private final RankState state;
    private final int rank;
    private final int ranks;
    private final MemorySegment votes;
    private final RecursiveDoubling allReduce;

    /**
     * @param state state of this rank
     * @param memory must outlive this
     */
    CheckpointCoordinator(Checkpoints checkpoints, RankState state, Channel channel, Arena memory) {
        this.checkpoints = checkpoints;
        this.state = state;
        this.rank = channel.rank();
        this.ranks = channel.size();
        this.votes = memory.allocate(JAVA_FLOAT, 2);
        this.allReduce = new RecursiveDoubling(channel, 2, memory);
    }

    /** Returns the epoch of the checkpoint to resume from; 0 without one. */
    int after() {
        return checkpoints.after();
    }

    /**
     * Restores the checkpoint. If fewer ranks wrote it, the additional ranks start as joining
     * ranks: with the state of the last rank that wrote it, and empty residuals.
     */
    void resume() throws InterruptedException {
        boolean isJoining = rank >= checkpoints.parts();
        if (state.isReplicated() && (isJoining || rank > 0)) {
            long[] numbers = checkpoints.load(state.common());
            if (isJoining) {
                state.joinFrom(numbers);
                return;
            }
        }
        if (isJoining) {
            state.joinFrom(checkpoints.load(state.transferredBy(checkpoints.parts() - 1)));
        } else {
            state.restore(checkpoints.load(state.part(rank)));
        }
    }

    /**
     * Stores a checkpoint if one is due, and votes on stopping. Every rank calls it after every
     * epoch but the last.
     *
     * @return next step of the training, equal on all ranks
     */
    Next after(int epoch) throws InterruptedException {
        ReportReply reply = checkpoints.reply();
        int preempting = vote(reply.preempt(), reply.regroup());
        boolean isReconfigured = votes.getAtIndex(JAVA_FLOAT, 1) > 0;
        boolean isStored = false;
        if (preempting > 0 || checkpoints.isDueAfter(epoch)) {
            isStored = checkpoints.keep(epoch, ranks, state.part(rank));
        }
        if (preempting > 0 && vote(isStored, false) == ranks) {
            return Next.STOP;
        }
        return isReconfigured ? Next.SUSPEND : Next.TRAIN;
    }

    /** Next step of a training after an epoch. */
    enum Next {
        /** Continue with the next epoch. */
        TRAIN,
        /** Stop: the checkpoint is stored, and the run is queued. */
        STOP,
        /** Suspend, until the service has decided on the ranks that continue. */
        SUSPEND
    }

    /**
     * Sums two votes over all ranks; returns the first sum and leaves the second in {@code votes}.
     */
    private int vote(boolean first, boolean second) {
        votes.setAtIndex(JAVA_FLOAT, 0, first ? 1 : 0);
        votes.setAtIndex(JAVA_FLOAT, 1, second ? 1 : 0);
        allReduce.sum(votes);
        return (int) votes.getAtIndex(JAVA_FLOAT, 0);
    }
}
