package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.Broadcast;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Gives ranks that come to a training what those have that were there before. */
final class Handover {

    private final int rank;
    private final int ranks;
    private final Broadcast broadcast;
    private final RankMemory state;

    /** Numbers of 64 bits, in as many floats as take their room. */
    private final MemorySegment numbers;

    /**
     * @param memory must outlive it
     */
    Handover(Channel channel, RankMemory state, Arena memory) {
        this.rank = channel.rank();
        this.ranks = channel.size();
        this.broadcast = new Broadcast(channel, memory);
        this.state = state;
        this.numbers = memory.allocate(JAVA_LONG, state.count());
    }

    /**
     * Every rank calls it. A rank that is none of the holders then has what the first of them has,
     * but for what that has left out.
     *
     * @param holders that have it, in ascending order, the same on all ranks; none where servers
     *     alone have anything
     */
    void from(List<Integer> holders) {
        if (holders.isEmpty() || holders.size() == ranks) {
            return;
        }
        int root = holders.getFirst();
        boolean isHolder = holders.contains(rank);
        numbers.copyFrom(MemorySegment.ofArray(counted()));
        broadcast.from(root, numbers);
        for (MemorySegment tensor : state.handedOver()) {
            broadcast.from(root, isHolder && rank != root ? scratch(tensor) : tensor);
        }
        if (!isHolder) {
            state.joinAt(numbers.toArray(JAVA_LONG));
        }
    }

    private long[] counted() {
        long[] counted = new long[state.count()];
        state.count(counted);
        return counted;
    }

    /** Where that arrives which is not wanted. */
    private static MemorySegment scratch(MemorySegment tensor) {
        return Arena.ofAuto().allocate(tensor.byteSize(), Float.BYTES);
    }
}
