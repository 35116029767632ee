package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.Broadcast;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** State transfer: broadcasts the rank state of a holder to joining ranks. */
final class StateTransfer {

    private final int rank;
    private final int ranks;
    private final Broadcast broadcast;
    private final RankState state;

    /** Counters of 64 bits each. */
    private final MemorySegment numbers;

    /**
     * @param memory must outlive this
     */
    StateTransfer(Channel channel, RankState state, Arena memory) {
        this.rank = channel.rank();
        this.ranks = channel.size();
        this.broadcast = new Broadcast(channel, memory);
        this.state = state;
        this.numbers = memory.allocate(JAVA_LONG, state.count());
    }

    /**
     * Transfers the state; every rank calls it. Ranks that are no holders get the state of the
     * first holder, without its residuals.
     *
     * @param holders ranks with the state, ascending, equal on all ranks; empty if only servers
     *     have any
     */
    void from(List<Integer> holders) {
        if (holders.isEmpty() || holders.size() == ranks) {
            return;
        }
        int root = holders.getFirst();
        boolean isHolder = holders.contains(rank);
        numbers.copyFrom(MemorySegment.ofArray(counters()));
        broadcast.from(root, numbers);
        for (MemorySegment tensor : state.transferred()) {
            broadcast.from(root, isHolder && rank != root ? scratch(tensor) : tensor);
        }
        if (!isHolder) {
            state.joinFrom(numbers.toArray(JAVA_LONG));
        }
    }

    private long[] counters() {
        long[] counters = new long[state.count()];
        state.count(counters);
        return counters;
    }

    /** Allocates memory for a broadcast that this rank does not need. */
    private static MemorySegment scratch(MemorySegment tensor) {
        return Arena.ofAuto().allocate(tensor.byteSize(), Float.BYTES);
    }
}
