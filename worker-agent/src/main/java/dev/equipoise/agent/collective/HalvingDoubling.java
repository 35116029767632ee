package dev.equipoise.agent.collective;

/*
 * Rabenseifner (Optimization of collective reduction operations, ICCS 2004): partners at distance P
 * / 2, P / 4, ..., 1 halve the range that they are responsible for, each adding its half
 * (reduce-scatter); then they exchange the finished ranges in reverse order (all-gather). One rank
 * alone finishes each element, and the others copy it, so all ranks end with the same bits.
 */

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Halving-doubling all-reduce (Rabenseifner 2004): sends as few bytes as the ring, in 2 log2 P
 * steps if P, the number of ranks, is a power of two.
 */
final class HalvingDoubling implements AllReduce {

    private final Channel channel;
    private final PipelineSegments segments;
    private final PowerOfTwoFold fold;

    public HalvingDoubling(Channel channel, Arena memory) {
        this.channel = channel;
        this.segments = new PipelineSegments(channel, memory);
        this.fold = new PowerOfTwoFold(channel, segments);
    }

    @Override
    public void sum(MemorySegment vector) {
        long elements = Vectors.elements(vector);
        fold.before(vector, elements * Float.BYTES);
        if (fold.isCore()) {
            halve(vector, 0, elements, fold.core() / 2);
        }
        fold.after(vector, elements * Float.BYTES);
    }

    /**
     * Sums the range with the other ranks that are responsible for it: 2 {@code distance} ranks in
     * all.
     */
    private void halve(MemorySegment vector, long from, long to, int distance) {
        if (distance == 0) {
            return;
        }
        int partner = channel.rank() ^ distance;
        boolean lower = channel.rank() < partner;
        long middle = from + (to - from) / 2;
        long ownFrom = lower ? from : middle;
        long ownTo = lower ? middle : to;
        long otherFrom = lower ? middle : from;
        long otherTo = lower ? to : middle;

        segments.send(partner, vector, at(otherFrom), at(otherTo - otherFrom));
        segments.add(partner, vector, at(ownFrom), at(ownTo - ownFrom), PipelineSegments.NO_RANK);
        halve(vector, ownFrom, ownTo, distance / 2);
        segments.send(partner, vector, at(ownFrom), at(ownTo - ownFrom));
        segments.receive(
                partner, vector, at(otherFrom), at(otherTo - otherFrom), PipelineSegments.NO_RANK);
        channel.awaitSent(partner);
    }

    private static long at(long elements) {
        return elements * Float.BYTES;
    }
}
