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
            gather(vector, bytes);
            broadcast(vector, bytes);
        } else {
            slices.send(ROOT, vector, 0, bytes);
            slices.receive(ROOT, vector, 0, bytes, Slices.NOBODY);
            channel.awaitSent(ROOT);
        }
    }

    private void gather(MemorySegment vector, long bytes) {
        for (int peer = 1; peer < channel.size(); peer++) {
            slices.add(peer, vector, 0, bytes, Slices.NOBODY);
        }
    }

    private void broadcast(MemorySegment vector, long bytes) {
        for (int peer = 1; peer < channel.size(); peer++) {
            slices.send(peer, vector, 0, bytes);
        }
        for (int peer = 1; peer < channel.size(); peer++) {
            channel.awaitSent(peer);
        }
    }
}
