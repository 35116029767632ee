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
        this.mixtures = new Mixtures(channel, schedule, mixing);
        this.mixed = memory.allocate(JAVA_FLOAT, maxElements);
        for (int i = 0; i < MOST_PARTNERS; i++) {
            received[i] = memory.allocate(JAVA_FLOAT, SLICE_BYTES / Float.BYTES);
        }
    }

    /**
     * Overwrites the float32 vector by what the partners and this rank mix. Every rank calls it
     * with as long a vector; ranks that are no partners may be at different exchanges.
     *
     * <p>Where the channel bears losses, a partner that is lost before counts nothing, and if one
     * is lost meanwhile the vector stays as it was, though partners may have mixed theirs: their
     * mean then shifts by what this rank would have changed.
     *
     * @param exchange counted from 0; equal on all ranks
     * @return what was mixed
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost, and that is not borne;
     *     the vector is then as it was
     */
    public Mixture mix(MemorySegment vector, long exchange) {
        long bytes = requireFits(vector);
        Mixture mixture = mixtures.at(exchange);
        send(vector, bytes, mixture.recipients());
        boolean isWhole = true;
        for (long at = 0; at < bytes; at += SLICE_BYTES) {
            long length = Math.min(SLICE_BYTES, bytes - at);
            isWhole &= receive(mixture.parts(), length);
            blend.mix(mixed, vector, at, length, mixture, received);
        }
        awaitSent(mixture.recipients());
        if (isWhole) {
            MemorySegment.copy(mixed, 0, vector, 0, bytes);
        }
        return mixture;
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

    /** Returns false where one was lost; those of the others have come all the same. */
    private boolean receive(List<Part> parts, long bytes) {
        for (int i = 0; i < parts.size(); i++) {
            channel.receive(parts.get(i).from(), received[i], 0, bytes);
        }
        boolean areAll = true;
        for (int i = 0; i < parts.size(); i++) {
            areAll &= channel.awaitReceivedOrLost(parts.get(i).from());
        }
        return areAll;
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
