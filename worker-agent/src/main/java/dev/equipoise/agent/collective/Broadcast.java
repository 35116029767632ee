package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Broadcast: copies a vector from one rank to all, down a binomial tree, pipelined in segments. */
public final class Broadcast {

    private final Channel channel;
    private final PipelineSegments segments;

    public Broadcast(Channel channel, Arena memory) {
        this.channel = channel;
        this.segments = new PipelineSegments(channel, memory);
    }

    /**
     * Overwrites the vector with that of the root.
     *
     * @param vector of equal length on all ranks
     * @param root equal on all ranks
     */
    public void from(int root, MemorySegment vector) {
        long bytes = Vectors.elements(vector) * Float.BYTES;
        Tree tree = Tree.of(Math.floorMod(channel.rank() - root, channel.size()), channel.size());
        for (long at = 0; at < bytes; at += PipelineSegments.BYTES) {
            long length = Math.min(PipelineSegments.BYTES, bytes - at);
            if (!tree.isRoot()) {
                segments.receive(
                        rank(tree.parent(), root), vector, at, length, PipelineSegments.NO_RANK);
            }
            for (int child : tree.children().reversed()) {
                segments.send(rank(child, root), vector, at, length);
            }
        }
        tree.children().forEach(child -> channel.awaitSent(rank(child, root)));
    }

    /** Converts a position in the tree, counted from the root, to a rank. */
    private int rank(int position, int root) {
        return Math.floorMod(position + root, channel.size());
    }
}
