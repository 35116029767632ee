package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** From one rank to all, down a binomial tree, slice after slice. */
public final class Broadcast {

    private final Channel channel;
    private final Slices slices;

    public Broadcast(Channel channel, Arena memory) {
        this.channel = channel;
        this.slices = new Slices(channel, memory);
    }

    /**
     * Overwrites the vector with that of the root.
     *
     * @param vector as long on all ranks
     * @param root equal on all ranks
     */
    public void from(int root, MemorySegment vector) {
        long bytes = Vectors.elements(vector) * Float.BYTES;
        Tree tree = Tree.of(Math.floorMod(channel.rank() - root, channel.size()), channel.size());
        for (long at = 0; at < bytes; at += Slices.BYTES) {
            long length = Math.min(Slices.BYTES, bytes - at);
            if (!tree.isRoot()) {
                slices.receive(rank(tree.parent(), root), vector, at, length, Slices.NOBODY);
            }
            for (int child : tree.children().reversed()) {
                slices.send(rank(child, root), vector, at, length);
            }
        }
        tree.children().forEach(child -> channel.awaitSent(rank(child, root)));
    }

    /** Places in the tree are counted from the root. */
    private int rank(int place, int root) {
        return Math.floorMod(place + root, channel.size());
    }
}
