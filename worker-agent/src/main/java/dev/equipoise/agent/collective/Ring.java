package dev.equipoise.agent.collective;

/*
 * The ring of Patarasuk and Yuan (Bandwidth optimal all-reduce algorithms, JPDC 2009). The vector
 * is cut into P chunks. In P - 1 steps (reduce-scatter) each rank sends a chunk to the next rank
 * and adds the chunk that it receives; then position i holds the finished sum of chunk i + 1. In
 * another P - 1 steps (all-gather) the finished chunks go around and are copied. A rank sends
 * 2 (P - 1) / P of the vector, the least possible. The order of the additions depends on the chunk
 * alone and the sums are copied, not recomputed, so all ranks end with the same bits. Steps
 * overlap: a segment is forwarded as soon as it has arrived. A finished chunk never overwrites data
 * still to be sent, since the chunk cannot be finished before that data was sent.
 */

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A ring of some or all ranks, each of which receives from the previous one and sends to the next.
 */
final class Ring {

    private final Channel channel;
    private final PipelineSegments segments;
    private final int size;
    private final int position;
    private final int next;
    private final int previous;

    /**
     * @param order the ranks of the ring, including this one
     */
    Ring(Channel channel, List<Integer> order, Arena memory) {
        this.channel = channel;
        this.segments = new PipelineSegments(channel, memory);
        this.size = order.size();
        this.position = order.indexOf(channel.rank());
        if (position < 0 || order.stream().distinct().count() < size) {
            throw new IllegalArgumentException(
                    ("rank %d must be in its ring, which must have each rank once, but the ring is"
                                    + " %s")
                            .formatted(channel.rank(), order));
        }
        this.next = order.get(Math.floorMod(position + 1, size));
        this.previous = order.get(Math.floorMod(position - 1, size));
    }

    /** All-reduce: all positions end with the sum. */
    void allReduce(MemorySegment vector, long start, long elements) {
        if (size == 1) {
            return;
        }
        Chunks chunks = new Chunks(start, elements, size);
        send(vector, chunks, position);
        for (int step = 1; step < size; step++) {
            add(vector, chunks, position - step, next);
        }
        for (int step = 0; step < size - 1; step++) {
            receive(
                    vector,
                    chunks,
                    position - step,
                    step < size - 2 ? next : PipelineSegments.NO_RANK);
        }
        channel.awaitSent(next);
    }

    /**
     * Reduce-scatter: this position ends with the sum of {@link #ownChunk}; the other chunks hold
     * partial sums.
     */
    void reduceScatter(MemorySegment vector, long start, long elements) {
        if (size == 1) {
            return;
        }
        Chunks chunks = new Chunks(start, elements, size);
        send(vector, chunks, position);
        for (int step = 1; step < size; step++) {
            add(vector, chunks, position - step, step < size - 1 ? next : PipelineSegments.NO_RANK);
        }
        channel.awaitSent(next);
    }

    /** All-gather: all positions get the {@link #ownChunk} of every position. */
    void allGather(MemorySegment vector, long start, long elements) {
        if (size == 1) {
            return;
        }
        Chunks chunks = new Chunks(start, elements, size);
        send(vector, chunks, ownChunk());
        for (int step = 0; step < size - 1; step++) {
            receive(
                    vector,
                    chunks,
                    position - step,
                    step < size - 2 ? next : PipelineSegments.NO_RANK);
        }
        channel.awaitSent(next);
    }

    /**
     * The index of this position's chunk; the vector has as many {@link Chunks} as the ring has
     * positions.
     */
    int ownChunk() {
        return Math.floorMod(position + 1, size);
    }

    int size() {
        return size;
    }

    private void send(MemorySegment vector, Chunks chunks, int chunk) {
        segments.send(next, vector, chunks.offset(chunk), chunks.bytes(chunk));
    }

    private void add(MemorySegment vector, Chunks chunks, int chunk, int forwardTo) {
        segments.add(previous, vector, chunks.offset(chunk), chunks.bytes(chunk), forwardTo);
    }

    private void receive(MemorySegment vector, Chunks chunks, int chunk, int forwardTo) {
        segments.receive(previous, vector, chunks.offset(chunk), chunks.bytes(chunk), forwardTo);
    }
}
