package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Up a binomial tree to rank 0, adding on the way, and down again; slice after slice, so that all
 * levels work at once.
 */
public final class TreeAllReduce implements AllReduce {

    /** So much goes up before the first slice comes down, so that no level waits for the others. */
    private static final long LAG = 8 * Slices.BYTES;

    private final Channel channel;
    private final Tree tree;
    private final Slices slices;

    public TreeAllReduce(Channel channel, Arena memory) {
        this.channel = channel;
        this.tree = Tree.of(channel.rank(), channel.size());
        this.slices = new Slices(channel, memory);
    }

    @Override
    public void sum(MemorySegment vector) {
        long bytes = Vectors.elements(vector) * Float.BYTES;
        for (long at = 0; at < bytes + LAG; at += Slices.BYTES) {
            if (at < bytes) {
                up(vector, at, Math.min(Slices.BYTES, bytes - at));
            }
            long before = at - LAG;
            if (before >= 0 && before < bytes) {
                down(vector, before, Math.min(Slices.BYTES, bytes - before));
            }
        }
        awaitSent();
    }

    private void up(MemorySegment vector, long at, long bytes) {
        for (int i = 0; i < tree.children().size(); i++) {
            slices.add(tree.children().get(i), vector, at, bytes, Slices.NOBODY);
        }
        if (!tree.isRoot()) {
            slices.send(tree.parent(), vector, at, bytes);
        }
    }

    /** The farthest child has the most to pass on. */
    private void down(MemorySegment vector, long at, long bytes) {
        if (!tree.isRoot()) {
            slices.receive(tree.parent(), vector, at, bytes, Slices.NOBODY);
        }
        for (int i = tree.children().size() - 1; i >= 0; i--) {
            slices.send(tree.children().get(i), vector, at, bytes);
        }
    }

    private void awaitSent() {
        if (!tree.isRoot()) {
            channel.awaitSent(tree.parent());
        }
        for (int i = 0; i < tree.children().size(); i++) {
            channel.awaitSent(tree.children().get(i));
        }
    }
}
