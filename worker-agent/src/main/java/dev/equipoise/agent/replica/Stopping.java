package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.protocol.ReportReply;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Leaves checkpoints, and stops a training after an epoch where the service wishes it. The ranks
 * hear of that at different moments, so that all tell one another at the end of each epoch, and
 * stop after the same one; and only once the service has the parts of all. Outside of all rounds,
 * so that no figure of an epoch holds what this takes.
 */
final class Stopping {

    private final Checkpoints checkpoints;
    private final RankMemory state;
    private final int rank;
    private final int ranks;
    private final MemorySegment votes;
    private final RecursiveDoubling sumOfVotes;

    /**
     * @param state of this rank
     * @param memory must outlive it
     */
    Stopping(Checkpoints checkpoints, RankMemory state, Channel channel, Arena memory) {
        this.checkpoints = checkpoints;
        this.state = state;
        this.rank = channel.rank();
        this.ranks = channel.size();
        this.votes = memory.allocate(JAVA_FLOAT, 2);
        this.sumOfVotes = new RecursiveDoubling(channel, 2, memory);
    }

    /** The epoch after which the training begins; 0 at the beginning. */
    int after() {
        return checkpoints.after();
    }

    /**
     * Goes on from the checkpoint. A rank that has left no part in it, as there were fewer ranks,
     * begins as one that joins: with what the last of them had, but for what that had left out.
     */
    void resume() throws InterruptedException {
        boolean isNew = rank >= checkpoints.parts();
        if (state.isAlike() && (isNew || rank > 0)) {
            long[] numbers = checkpoints.load(state.common());
            if (isNew) {
                state.joinAt(numbers);
                return;
            }
        }
        if (isNew) {
            state.joinAt(checkpoints.load(state.handedOverBy(checkpoints.parts() - 1)));
        } else {
            state.goOnFrom(checkpoints.load(state.part(rank)));
        }
    }

    /**
     * Every rank calls it after every epoch but the last.
     *
     * @return how the training goes on, the same on all ranks
     */
    Next after(int epoch) throws InterruptedException {
        ReportReply heard = checkpoints.wish();
        int preempting = vote(heard.preempt(), heard.regroup());
        boolean regroups = votes.getAtIndex(JAVA_FLOAT, 1) > 0;
        boolean isKept = false;
        if (preempting > 0 || checkpoints.isDueAfter(epoch)) {
            isKept = checkpoints.keep(epoch, ranks, state.part(rank));
        }
        if (preempting > 0 && vote(isKept, false) == ranks) {
            return Next.STOP;
        }
        return regroups ? Next.STAND : Next.TRAIN;
    }

    /** How a training goes on after an epoch. */
    enum Next {
        /** With the next epoch. */
        TRAIN,
        /** Not here, and not now: its checkpoint is kept. */
        STOP,
        /** With others, once the service has said with whom. */
        STAND
    }

    /** How many ranks say the first; how many the other is then in the votes. */
    private int vote(boolean one, boolean other) {
        votes.setAtIndex(JAVA_FLOAT, 0, one ? 1 : 0);
        votes.setAtIndex(JAVA_FLOAT, 1, other ? 1 : 0);
        sumOfVotes.sum(votes);
        return (int) votes.getAtIndex(JAVA_FLOAT, 0);
    }
}
