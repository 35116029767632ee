package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Recursive doubling all-reduce (docs/algorithms.md, section 3.2): partners at distance 1, 2, 4,
 * ... exchange whole vectors, in the fewest steps, for small vectors. Both partners add the same
 * two numbers, and floating-point addition is commutative, so all ranks end with the same bits.
 */
public final class RecursiveDoubling implements AllReduce {

    private final Channel channel;
    private final PipelineSegments segments;
    private final PowerOfTwoFold fold;
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment received;

    /** Allocates memory for the longest vector. */
    public RecursiveDoubling(Channel channel, long maxElements, Arena memory) {
        this.channel = channel;
        this.segments = new PipelineSegments(channel, memory);
        this.fold = new PowerOfTwoFold(channel, segments);
        this.received = memory.allocate(JAVA_FLOAT, maxElements);
    }

    @Override
    public void sum(MemorySegment vector) {
        long bytes = Vectors.elements(vector, received.byteSize() / Float.BYTES) * Float.BYTES;
        fold.before(vector, bytes);
        if (fold.isCore()) {
            for (int distance = 1; distance < fold.core(); distance *= 2) {
                exchange(channel.rank() ^ distance, vector, bytes);
            }
        }
        fold.after(vector, bytes);
    }

    private void exchange(int partner, MemorySegment vector, long bytes) {
        segments.send(partner, vector, 0, bytes);
        segments.receive(partner, received, 0, bytes, PipelineSegments.NO_RANK);
        channel.awaitSent(partner);
        sum.add(vector, 0, received, 0, bytes);
    }
}
