package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Tree all-reduce (docs/algorithms.md, section 3.2): sums up a binomial tree to rank 0 and
 * broadcasts down again, pipelined in segments, so that all levels work at the same time.
 */
public final class TreeAllReduce implements AllReduce {

    /**
     * Bytes that go up before the first segment comes down, so that no level waits for the others.
     */
    private static final long LAG = 8 * PipelineSegments.BYTES;

    private final Channel channel;
    private final Tree tree;
    private final PipelineSegments segments;

    public TreeAllReduce(Channel channel, Arena memory) {
        this.channel = channel;
        this.tree = Tree.of(channel.rank(), channel.size());
        this.segments = new PipelineSegments(channel, memory);
    }

    @Override
    public void sum(MemorySegment vector) {
        long bytes = Vectors.elements(vector) * Float.BYTES;
        for (long at = 0; at < bytes + LAG; at += PipelineSegments.BYTES) {
            if (at < bytes) {
                reduce(vector, at, Math.min(PipelineSegments.BYTES, bytes - at));
            }
            long downAt = at - LAG;
            if (downAt >= 0 && downAt < bytes) {
                broadcast(vector, downAt, Math.min(PipelineSegments.BYTES, bytes - downAt));
            }
        }
        awaitSent();
    }

    private void reduce(MemorySegment vector, long at, long bytes) {
        for (int i = 0; i < tree.children().size(); i++) {
            segments.add(tree.children().get(i), vector, at, bytes, PipelineSegments.NO_RANK);
        }
        if (!tree.isRoot()) {
            segments.send(tree.parent(), vector, at, bytes);
        }
    }

    /** Sends to the farthest child first, since it has the most to forward. */
    private void broadcast(MemorySegment vector, long at, long bytes) {
        if (!tree.isRoot()) {
            segments.receive(tree.parent(), vector, at, bytes, PipelineSegments.NO_RANK);
        }
        for (int i = tree.children().size() - 1; i >= 0; i--) {
            segments.send(tree.children().get(i), vector, at, bytes);
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
