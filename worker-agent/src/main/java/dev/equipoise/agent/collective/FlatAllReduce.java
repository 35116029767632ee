package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Everybody sends to rank 0, which adds in the order of the ranks and sends the sum to everybody:
 * what a parameter server of one machine does.
 */
public final class FlatAllReduce implements AllReduce {

    private static final int ROOT = 0;

    private final Channel channel;
    private final Slices slices;

    public FlatAllReduce(Channel channel, Arena memory) {
        this.channel = channel;
        this.slices = new Slices(channel, memory);
    }

    @Override
    public void sum(MemorySegment vector) {
        long bytes = Vectors.elements(vector) * Float.BYTES;
        if (channel.rank() == ROOT) {
            for (long at = 0; at < bytes; at += Slices.BYTES) {
                addAll(vector, at, Math.min(Slices.BYTES, bytes - at));
            }
            awaitSent();
        } else {
            slices.send(ROOT, vector, 0, bytes);
            slices.receive(ROOT, vector, 0, bytes, Slices.NOBODY);
            channel.awaitSent(ROOT);
        }
    }

    /** A slice of every peer before the next one, so that no link waits for another. */
    private void addAll(MemorySegment vector, long at, long bytes) {
        for (int peer = 1; peer < channel.size(); peer++) {
            slices.add(peer, vector, at, bytes, Slices.NOBODY);
        }
        for (int peer = 1; peer < channel.size(); peer++) {
            slices.send(peer, vector, at, bytes);
        }
    }

    private void awaitSent() {
        for (int peer = 1; peer < channel.size(); peer++) {
            channel.awaitSent(peer);
        }
    }
}
