package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.RankState;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.protocol.ReportReply;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Leaves checkpoints, and stops a training after an epoch where the service wishes it. The ranks
 * hear of that at different moments, so that all tell one another at the end of each epoch, and
 * stop after the same one; and only once the service has the checkpoint, which rank 0 hands over.
 * Outside of all rounds, so that no figure of an epoch holds what this takes.
 */
final class Stopping {

    /** A long goes as four numbers of 16 bits, which float32 holds exactly. */
    private static final int DIGITS = 4;

    private static final int LONGS = 3;
    private static final int PLACES = LONGS * DIGITS;
    private static final long DIGIT = 0xFFFF;

    private final Checkpoints checkpoints;
    private final int rank;
    private final int ranks;
    private final MemorySegment vote;
    private final MemorySegment states;
    private final RecursiveDoubling sumOfVotes;
    private final RecursiveDoubling sumOfStates;

    /**
     * @param memory must outlive it
     */
    Stopping(Checkpoints checkpoints, Channel channel, Arena memory) {
        this.checkpoints = checkpoints;
        this.rank = channel.rank();
        this.ranks = channel.size();
        this.vote = memory.allocate(JAVA_FLOAT, 2);
        this.states = memory.allocate(JAVA_FLOAT, (long) ranks * PLACES);
        this.sumOfVotes = new RecursiveDoubling(channel, 2, memory);
        this.sumOfStates = new RecursiveDoubling(channel, (long) ranks * PLACES, memory);
    }

    /** The epoch after which the training begins; 0 at the beginning. */
    int after() {
        return checkpoints.after();
    }

    /** Overwrites the tensors by those of the checkpoint, and returns what this rank had. */
    RankState resume(List<MemorySegment> tensors) throws InterruptedException {
        return checkpoints.load(ranks, tensors).get(rank);
    }

    /**
     * Every rank calls it after every epoch but the last.
     *
     * @param own what this rank has for itself
     * @param tensors of this rank, which are those of every other
     * @return how the training goes on, the same on all ranks
     */
    Next after(int epoch, RankState own, List<MemorySegment> tensors) throws InterruptedException {
        ReportReply wish = anyRank(checkpoints.wish());
        boolean isKept = false;
        if (wish.preempt() || checkpoints.isDueAfter(epoch)) {
            List<RankState> all = tellAll(own);
            isKept = rank == 0 && checkpoints.keep(epoch, all, tensors);
        }
        if (wish.preempt() && anyRank(isKept)) {
            return Next.STOP;
        }
        return wish.regroup() ? Next.STAND : Next.TRAIN;
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

    private boolean anyRank(boolean says) {
        return anyRank(new ReportReply(says, false)).preempt();
    }

    /** What one of the ranks has heard, all go by. */
    private ReportReply anyRank(ReportReply heard) {
        vote.setAtIndex(JAVA_FLOAT, 0, heard.preempt() ? 1 : 0);
        vote.setAtIndex(JAVA_FLOAT, 1, heard.regroup() ? 1 : 0);
        sumOfVotes.sum(vote);
        return new ReportReply(
                vote.getAtIndex(JAVA_FLOAT, 0) > 0, vote.getAtIndex(JAVA_FLOAT, 1) > 0);
    }

    private List<RankState> tellAll(RankState own) {
        states.fill((byte) 0);
        write(0, own.steps());
        write(1, own.dropout());
        write(2, own.trainedNanos());
        sumOfStates.sum(states);
        return IntStream.range(0, ranks)
                .mapToObj(it -> new RankState(read(it, 0), read(it, 1), read(it, 2)))
                .toList();
    }

    private void write(int which, long value) {
        for (int digit = 0; digit < DIGITS; digit++) {
            states.setAtIndex(
                    JAVA_FLOAT,
                    place(rank, which, digit),
                    (float) (value >>> (digit * Short.SIZE) & DIGIT));
        }
    }

    private long read(int ofRank, int which) {
        long value = 0;
        for (int digit = 0; digit < DIGITS; digit++) {
            long part = (long) states.getAtIndex(JAVA_FLOAT, place(ofRank, which, digit));
            value |= part << (digit * Short.SIZE);
        }
        return value;
    }

    private static long place(int ofRank, int which, int digit) {
        return (long) ofRank * PLACES + (long) which * DIGITS + digit;
    }
}
