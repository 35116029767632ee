package dev.equipoise.agent.collective;

/*
 * The ring of Patarasuk and Yuan (Bandwidth optimal all-reduce algorithms, JPDC 2009). The vector is
 * cut into P chunks. During P - 1 steps each rank passes a chunk on to the next rank and adds the
 * one that it receives, after which rank i holds the finished sum of chunk i + 1; during another
 * P - 1 steps the finished chunks go round and are copied. A rank sends 2 (P - 1) / P of the vector,
 * the least possible. The order of the additions depends on the chunk alone and the sums are copied,
 * not computed again, so all ranks end with the same bits.
 */

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The all-reduce for large vectors: each rank talks to its two neighbours only. */
public final class RingAllReduce implements AllReduce {

    private final Channel channel;
    private final int size;
    private final int next;
    private final int previous;
    private final FloatSum sum = new FloatSum();
    private final MemorySegment received;

    /** Sets memory aside for the largest chunk of the longest vector that will come. */
    public RingAllReduce(Channel channel, long maxElements) {
        this.channel = channel;
        this.size = channel.size();
        this.next = Math.floorMod(channel.rank() + 1, size);
        this.previous = Math.floorMod(channel.rank() - 1, size);
        this.received =
                Arena.ofAuto()
                        .allocate(ValueLayout.JAVA_FLOAT, Math.ceilDiv(maxElements, (long) size));
    }

    @Override
    public void sum(MemorySegment vector) {
        requireRoomFor(vector);
        scatterReduce(vector);
        allGather(vector);
    }

    private void scatterReduce(MemorySegment vector) {
        for (int step = 0; step < size - 1; step++) {
            MemorySegment target = chunk(vector, channel.rank() - step - 1);
            MemorySegment addend = received.asSlice(0, target.byteSize());
            channel.exchange(next, chunk(vector, channel.rank() - step), previous, addend);
            sum.add(target, addend);
        }
    }

    private void allGather(MemorySegment vector) {
        for (int step = 0; step < size - 1; step++) {
            channel.exchange(
                    next,
                    chunk(vector, channel.rank() + 1 - step),
                    previous,
                    chunk(vector, channel.rank() - step));
        }
    }

    /** Chunk c of d elements is floor(c d / P) .. floor((c + 1) d / P), empty for some if d < P. */
    private MemorySegment chunk(MemorySegment vector, int index) {
        long elements = vector.byteSize() / Float.BYTES;
        long chunk = Math.floorMod(index, size);
        long start = chunk * elements / size;
        long end = (chunk + 1) * elements / size;
        return vector.asSlice(start * Float.BYTES, (end - start) * Float.BYTES);
    }

    private void requireRoomFor(MemorySegment vector) {
        long maxBytes = received.byteSize() * size;
        if (vector.byteSize() > maxBytes || vector.byteSize() % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    "the vector must be of float32 and at most %d bytes, but has %d"
                            .formatted(maxBytes, vector.byteSize()));
        }
    }
}
