package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Flat all-reduce: all ranks send to rank 0, which adds in the order of the ranks and sends the sum
 * back to all, as a single parameter server does.
 */
final class FlatAllReduce implements AllReduce {

    private static final int ROOT = 0;

    private final Channel channel;
    private final PipelineSegments segments;

    public FlatAllReduce(Channel channel, Arena memory) {
        this.channel = channel;
        this.segments = new PipelineSegments(channel, memory);
    }

    @Override
    public void sum(MemorySegment vector) {
        long bytes = Vectors.elements(vector) * Float.BYTES;
        if (channel.rank() == ROOT) {
            for (long at = 0; at < bytes; at += PipelineSegments.BYTES) {
                addAll(vector, at, Math.min(PipelineSegments.BYTES, bytes - at));
            }
            awaitSent();
        } else {
            segments.send(ROOT, vector, 0, bytes);
            segments.receive(ROOT, vector, 0, bytes, PipelineSegments.NO_RANK);
            channel.awaitSent(ROOT);
        }
    }

    /** Adds one segment of every peer before the next one, so that no link waits for another. */
    private void addAll(MemorySegment vector, long at, long bytes) {
        for (int peer = 1; peer < channel.size(); peer++) {
            segments.add(peer, vector, at, bytes, PipelineSegments.NO_RANK);
        }
        for (int peer = 1; peer < channel.size(); peer++) {
            segments.send(peer, vector, at, bytes);
        }
    }

    private void awaitSent() {
        for (int peer = 1; peer < channel.size(); peer++) {
            channel.awaitSent(peer);
        }
    }
}
