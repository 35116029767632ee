package dev.equipoise.agent.collective;

/*
 * Rabenseifner (Optimization of collective reduction operations, ICCS 2004): partners at distance
 * P / 2, P / 4, ..., 1 halve the range that they still care for, each adding its half; then the way
 * back, each giving what it has finished. Every element is finished by one rank alone and copied
 * from there, so all ranks end with the same bits.
 */

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** As few bytes as the ring, in as many steps as the logarithm of the ranks. */
public final class HalvingDoubling implements AllReduce {

    private final Channel channel;
    private final Slices slices;
    private final Fold fold;

    public HalvingDoubling(Channel channel, Arena memory) {
        this.channel = channel;
        this.slices = new Slices(channel, memory);
        this.fold = new Fold(channel, slices);
    }

    @Override
    public void sum(MemorySegment vector) {
        long elements = Vectors.elements(vector);
        fold.before(vector, elements * Float.BYTES);
        if (fold.takesPart()) {
            halve(vector, 0, elements, fold.core() / 2);
        }
        fold.after(vector, elements * Float.BYTES);
    }

    /** Sums the range with all ranks that care for it as well, of which there are 2 distance. */
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

        slices.send(partner, vector, at(otherFrom), at(otherTo - otherFrom));
        slices.add(partner, vector, at(ownFrom), at(ownTo - ownFrom), Slices.NOBODY);
        halve(vector, ownFrom, ownTo, distance / 2);
        slices.send(partner, vector, at(ownFrom), at(ownTo - ownFrom));
        slices.receive(partner, vector, at(otherFrom), at(otherTo - otherFrom), Slices.NOBODY);
        channel.awaitSent(partner);
    }

    private static long at(long elements) {
        return elements * Float.BYTES;
    }
}
