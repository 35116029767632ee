package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.agent.instrument.PhaseClock;
import dev.equipoise.agent.instrument.RunPhase;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.protocol.ReportReply;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Stores the checkpoints of one rank, and stops or suspends the training after an epoch when the
 * service asks for it. The request reaches the ranks at different times, so they vote at the end of
 * each epoch and stop after the same epoch, once the service has the checkpoint parts of all ranks.
 *
 * <p>A part is stored in the background, from a copy. The vote follows the copy, so that all ranks
 * begin the next epoch when the last one has its copy: neither the copy nor the wait for an earlier
 * part is in the training time of any rank.
 */
final class CheckpointCoordinator {

    private final Checkpoints checkpoints;
    private final CheckpointWriter writer;
    private final RankState state;
    private final PhaseClock phases;
    private final int rank;
    private final int ranks;
    private final MemorySegment votes;
    private final RecursiveDoubling allReduce;

    /**
     * @param uploads stores the parts, and nothing else
     * @param state state of this rank
     * @param memory must outlive this
     */
    CheckpointCoordinator(
            Checkpoints checkpoints,
            BackgroundThread uploads,
            RankState state,
            Channel channel,
            PhaseClock phases,
            Arena memory) {
        this.checkpoints = checkpoints;
        this.writer =
                new CheckpointWriter(checkpoints, uploads, state, channel.rank(), channel.size());
        this.state = state;
        this.phases = phases;
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
     * Begins to store a checkpoint if one is due, and votes on stopping. Every rank calls it after
     * every epoch but the last.
     *
     * @return next step of the training, equal on all ranks
     */
    Next after(int epoch) throws InterruptedException {
        boolean isDue = checkpoints.isDueAfter(epoch);
        if (isDue) {
            phases.enter(RunPhase.CHECKPOINT);
            writer.begin(epoch);
        }
        ReportReply reply = checkpoints.reply();
        int preempting = vote(reply.preempt(), reply.regroup());
        boolean isReconfigured = votes.getAtIndex(JAVA_FLOAT, 1) > 0;
        if (preempting > 0 && isStoredByAll(epoch, isDue)) {
            return Next.STOP;
        }
        phases.enter(RunPhase.COORDINATION);
        return isReconfigured ? Next.SUSPEND : Next.TRAIN;
    }

    /**
     * Waits for the parts of all ranks.
     *
     * @param isBegun whether this rank has begun to store its part
     */
    private boolean isStoredByAll(int epoch, boolean isBegun) throws InterruptedException {
        phases.enter(RunPhase.CHECKPOINT);
        if (!isBegun) {
            writer.begin(epoch);
        }
        return vote(writer.await(), false) == ranks;
    }

    /** Waits until this rank stores no part; called before its training ends. */
    void settle() throws InterruptedException {
        phases.enter(RunPhase.CHECKPOINT);
        writer.await();
        phases.enter(RunPhase.COORDINATION);
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
