package dev.equipoise.agent.gossip;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.gossip.Mixture.Part;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/*
 * All slices are posted at once; each is mixed as soon as those of the partners are there, while
 * the next ones move. What is mixed goes to memory of its own: a slice of the vector may be
 * overwritten only when every partner has it, and none may be before all have come, or a lost rank
 * would leave a vector of which a part is mixed. The copy at the end costs one pass over memory;
 * waiting slice by slice would save it, but bind each rank to the pace of its partners' partners
 * and give up the vector as it was.
 */
/** Mixes this rank's vector with those of its partners. */
public final class NeighbourExchange {

    /** Slices of two partners, of this rank and of the result fit a usual second-level cache. */
    private static final long SLICE_BYTES = 128 * 1024;

    private static final int MOST_PARTNERS = 2;

    private final Channel channel;
    private final Mixtures mixtures;
    private final Blend blend = new Blend();
    private final MemorySegment[] received = new MemorySegment[MOST_PARTNERS];
    private final MemorySegment mixed;

    /**
     * Sets memory aside for the mixed vector and one slice of each partner. Once every position of
     * the schedule has come, an exchange allocates nothing.
     *
     * @param schedule equal on all ranks, as is {@code mixing}
     * @param maxElements of the longest vector that will come
     * @param memory must outlive it
     */
    public NeighbourExchange(
            Channel channel, Schedule schedule, Mixing mixing, long maxElements, Arena memory) {
        this.channel = channel;
        this.mixtures = new Mixtures(channel.rank(), channel.size(), schedule, mixing);
        this.mixed = memory.allocate(JAVA_FLOAT, maxElements);
        for (int i = 0; i < MOST_PARTNERS; i++) {
            received[i] = memory.allocate(JAVA_FLOAT, SLICE_BYTES / Float.BYTES);
        }
    }

    /**
     * Overwrites the float32 vector by what the partners and this rank mix. Every rank calls it
     * with as long a vector; ranks that are no partners may be at different exchanges.
     *
     * @param exchange counted from 0; equal on all ranks
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost; the vector is then as
     *     it was, though partners may have mixed theirs
     */
    public void mix(MemorySegment vector, long exchange) {
        long bytes = requireFits(vector);
        Mixture mixture = mixture(exchange);
        send(vector, bytes, mixture.recipients());
        for (long at = 0; at < bytes; at += SLICE_BYTES) {
            long length = Math.min(SLICE_BYTES, bytes - at);
            receive(mixture.parts(), length);
            blend.mix(mixed, vector, at, length, mixture.parts(), received);
        }
        awaitSent(mixture.recipients());
        MemorySegment.copy(mixed, 0, vector, 0, bytes);
    }

    /** What this rank does at an exchange. */
    public Mixture mixture(long exchange) {
        return mixtures.at(exchange);
    }

    /** Slice by slice, since one rank may be both recipients. */
    private void send(MemorySegment vector, long bytes, List<Integer> recipients) {
        for (long at = 0; at < bytes; at += SLICE_BYTES) {
            long length = Math.min(SLICE_BYTES, bytes - at);
            for (int i = 0; i < recipients.size(); i++) {
                channel.send(recipients.get(i), Content.PLAIN, vector, at, length);
            }
        }
    }

    private void receive(List<Part> parts, long bytes) {
        for (int i = 0; i < parts.size(); i++) {
            channel.receive(parts.get(i).from(), received[i], 0, bytes);
        }
        for (int i = 0; i < parts.size(); i++) {
            channel.awaitReceived(parts.get(i).from());
        }
    }

    private void awaitSent(List<Integer> recipients) {
        for (int i = 0; i < recipients.size(); i++) {
            channel.awaitSent(recipients.get(i));
        }
    }

    private long requireFits(MemorySegment vector) {
        long bytes = vector.byteSize();
        if (bytes > mixed.byteSize() || bytes % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    "the vector must be of float32 and at most %d bytes, but has %d"
                            .formatted(mixed.byteSize(), bytes));
        }
        return bytes;
    }
}
