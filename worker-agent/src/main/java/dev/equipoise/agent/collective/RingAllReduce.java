package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/** The all-reduce for large vectors: each rank talks to its two neighbours only. */
public final class RingAllReduce implements AllReduce {

    private final Ring ring;

    /** In the order of the ranks. */
    public RingAllReduce(Channel channel, Arena memory) {
        this(channel, IntStream.range(0, channel.size()).boxed().toList(), memory);
    }

    /**
     * @param order of all ranks; equal on all
     */
    public RingAllReduce(Channel channel, List<Integer> order, Arena memory) {
        this.ring = new Ring(channel, order, memory);
        if (ring.size() != channel.size()) {
            throw new IllegalArgumentException(
                    "the order must have all %d ranks, but is %s".formatted(channel.size(), order));
        }
    }

    @Override
    public void sum(MemorySegment vector) {
        ring.allReduce(vector, 0, Vectors.elements(vector));
    }
}
