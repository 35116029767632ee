package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.RankState;
import dev.equipoise.agent.collective.Broadcast;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Gives ranks that come to a training what those have that were there before. */
final class Handover {

    private final int rank;
    private final int ranks;
    private final Broadcast broadcast;

    /** Two numbers of 64 bits, in as many floats as take their room. */
    private final MemorySegment numbers;

    /**
     * @param memory must outlive it
     */
    Handover(Channel channel, Arena memory) {
        this.rank = channel.rank();
        this.ranks = channel.size();
        this.broadcast = new Broadcast(channel, memory);
        this.numbers = memory.allocate(JAVA_LONG, 2);
    }

    /**
     * Every rank calls it.
     *
     * @param holders that have it, in ascending order, the same on all ranks
     * @param own what this rank has for itself
     * @param tensors as long on all ranks; overwritten where this rank is none of the holders
     * @return what this rank has for itself now: dropout draws what it would have drawn
     */
    RankState from(List<Integer> holders, RankState own, List<MemorySegment> tensors) {
        if (holders.size() == ranks) {
            return own;
        }
        int root = holders.getFirst();
        numbers.setAtIndex(JAVA_LONG, 0, own.steps());
        numbers.setAtIndex(JAVA_LONG, 1, own.trainedNanos());
        broadcast.from(root, numbers);
        // A holder has the same bits already.
        tensors.forEach(tensor -> broadcast.from(root, tensor));
        return holders.contains(rank)
                ? own
                : new RankState(
                        numbers.getAtIndex(JAVA_LONG, 0),
                        own.dropout(),
                        numbers.getAtIndex(JAVA_LONG, 1));
    }
}
