package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Partners at distance 1, 2, 4, ... exchange whole vectors: the fewest steps, for small vectors.
 * Both partners add the same two numbers, and the order of two does not matter to the bits.
 */
public final class RecursiveDoubling implements AllReduce {

    private final Channel channel;
    private final Slices slices;
    private final Fold fold;
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment received;

    /** Sets memory aside for the longest vector that will come. */
    public RecursiveDoubling(Channel channel, long maxElements, Arena memory) {
        this.channel = channel;
        this.slices = new Slices(channel, memory);
        this.fold = new Fold(channel, slices);
        this.received = memory.allocate(JAVA_FLOAT, maxElements);
    }

    @Override
    public void sum(MemorySegment vector) {
        long bytes = Vectors.elements(vector, received.byteSize() / Float.BYTES) * Float.BYTES;
        fold.before(vector, bytes);
        if (fold.takesPart()) {
            for (int distance = 1; distance < fold.core(); distance *= 2) {
                exchange(channel.rank() ^ distance, vector, bytes);
            }
        }
        fold.after(vector, bytes);
    }

    private void exchange(int partner, MemorySegment vector, long bytes) {
        slices.send(partner, vector, 0, bytes);
        slices.receive(partner, received, 0, bytes, Slices.NOBODY);
        channel.awaitSent(partner);
        sum.add(vector, 0, received, 0, bytes);
    }
}
