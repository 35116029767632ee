package dev.equipoise.agent.collective;

/*
 * The ring of Patarasuk and Yuan (Bandwidth optimal all-reduce algorithms, JPDC 2009). The vector is
 * cut into P chunks. During P - 1 steps each rank passes a chunk on to the next rank and adds the
 * one that it receives, after which place i holds the finished sum of chunk i + 1; during another
 * P - 1 steps the finished chunks go round and are copied. A rank sends 2 (P - 1) / P of the vector,
 * the least possible. The order of the additions depends on the chunk alone and the sums are copied,
 * not computed again, so all ranks end with the same bits. Steps overlap: a slice is passed on as
 * soon as it is there. That a finished chunk overwrites one that is still to be sent is impossible,
 * as it cannot be finished before it was sent.
 */

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Some or all ranks in a circle, each of which hears from the one before and tells the next. */
final class Ring {

    private final Channel channel;
    private final Slices slices;
    private final int size;
    private final int place;
    private final int next;
    private final int previous;

    /**
     * @param order of the ranks that take part, this one among them
     */
    Ring(Channel channel, List<Integer> order, Arena memory) {
        this.channel = channel;
        this.slices = new Slices(channel, memory);
        this.size = order.size();
        this.place = order.indexOf(channel.rank());
        if (place < 0 || order.stream().distinct().count() < size) {
            throw new IllegalArgumentException(
                    "rank %d must be in its ring, and each rank once, but that is %s"
                            .formatted(channel.rank(), order));
        }
        this.next = order.get(Math.floorMod(place + 1, size));
        this.previous = order.get(Math.floorMod(place - 1, size));
    }

    /** All places end with the sum. */
    void allReduce(MemorySegment vector, long start, long elements) {
        if (size == 1) {
            return;
        }
        Chunks chunks = new Chunks(start, elements, size);
        send(vector, chunks, place);
        for (int step = 1; step < size; step++) {
            add(vector, chunks, place - step, next);
        }
        for (int step = 0; step < size - 1; step++) {
            receive(vector, chunks, place - step, step < size - 2 ? next : Slices.NOBODY);
        }
        channel.awaitSent(next);
    }

    /** This place ends with the sum of {@link #ownChunk}; the other chunks are left half done. */
    void reduceScatter(MemorySegment vector, long start, long elements) {
        if (size == 1) {
            return;
        }
        Chunks chunks = new Chunks(start, elements, size);
        send(vector, chunks, place);
        for (int step = 1; step < size; step++) {
            add(vector, chunks, place - step, step < size - 1 ? next : Slices.NOBODY);
        }
        channel.awaitSent(next);
    }

    /** From every place's {@link #ownChunk} all places get all chunks. */
    void allGather(MemorySegment vector, long start, long elements) {
        if (size == 1) {
            return;
        }
        Chunks chunks = new Chunks(start, elements, size);
        send(vector, chunks, ownChunk());
        for (int step = 0; step < size - 1; step++) {
            receive(vector, chunks, place - step, step < size - 2 ? next : Slices.NOBODY);
        }
        channel.awaitSent(next);
    }

    /** Of {@link Chunks}, as many as the ring has places. */
    int ownChunk() {
        return Math.floorMod(place + 1, size);
    }

    int size() {
        return size;
    }

    private void send(MemorySegment vector, Chunks chunks, int chunk) {
        slices.send(next, vector, chunks.offset(chunk), chunks.bytes(chunk));
    }

    private void add(MemorySegment vector, Chunks chunks, int chunk, int then) {
        slices.add(previous, vector, chunks.offset(chunk), chunks.bytes(chunk), then);
    }

    private void receive(MemorySegment vector, Chunks chunks, int chunk, int then) {
        slices.receive(previous, vector, chunks.offset(chunk), chunks.bytes(chunk), then);
    }
}
