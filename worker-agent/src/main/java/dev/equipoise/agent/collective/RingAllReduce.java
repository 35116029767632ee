package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ring all-reduce (docs/algorithms.md, section 3.1), for large vectors: each rank exchanges with
 * its two neighbors only.
 */
public final class RingAllReduce implements AllReduce {

    private final Ring ring;

    /** Creates a ring in the order of the ranks. */
    public RingAllReduce(Channel channel, Arena memory) {
        this(channel, IntStream.range(0, channel.size()).boxed().toList(), memory);
    }

    /**
     * Creates a ring in a given order.
     *
     * @param order of all ranks; equal on all of them
     */
    public RingAllReduce(Channel channel, List<Integer> order, Arena memory) {
        this.ring = new Ring(channel, order, memory);
        if (ring.size() != channel.size()) {
            throw new IllegalArgumentException(
                    "the ring order must have all %d ranks, but is %s"
                            .formatted(channel.size(), order));
        }
    }

    @Override
    public void sum(MemorySegment vector) {
        ring.allReduce(vector, 0, Vectors.elements(vector));
    }
}
