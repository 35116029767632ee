package dev.equipoise.agent.gossip;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.gossip.MixingRow.Part;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/*
 * All segments are posted at once; each is mixed as soon as those of the partners have arrived,
 * while the next ones move. The result goes to separate memory: a segment of the vector may be
 * overwritten only when every partner has received it, and none may be before all have arrived, or
 * a lost rank would leave a partly mixed vector. The copy at the end costs one pass over memory.
 * Waiting segment by segment would save it, but would tie each rank to the pace of its partners'
 * partners and lose the original vector.
 */
/** Gossip exchange of vectors: mixes this rank's vector with those of its partners. */
public final class NeighborExchange {

    /**
     * Bytes of a segment; those of two partners, of this rank and of the result fit into a usual
     * second-level cache.
     */
    private static final long SEGMENT_BYTES = 128 * 1024;

    private static final int MAX_PARTNERS = 2;

    private final Channel channel;
    private final MixingRows rows;
    private final VectorMixer mixer = new VectorMixer();
    private final MemorySegment[] received = new MemorySegment[MAX_PARTNERS];
    private final MemorySegment mixed;

    /**
     * Allocates memory for the mixed vector and one segment of each partner. Once every position of
     * the schedule has occurred, an exchange allocates nothing.
     *
     * @param schedule equal on all ranks, as is {@code mixing}
     * @param maxElements length of the longest vector
     * @param memory must outlive the exchange
     */
    public NeighborExchange(
            Channel channel, Schedule schedule, Mixing mixing, long maxElements, Arena memory) {
        this.channel = channel;
        this.rows = new MixingRows(channel, schedule, mixing);
        this.mixed = memory.allocate(JAVA_FLOAT, maxElements);
        for (int i = 0; i < MAX_PARTNERS; i++) {
            received[i] = memory.allocate(JAVA_FLOAT, SEGMENT_BYTES / Float.BYTES);
        }
    }

    /**
     * Overwrites the float32 vector by its mix with the partners' vectors. Every rank calls this
     * method with a vector of equal length; ranks that are not partners may be at different
     * exchanges.
     *
     * <p>If the channel tolerates losses, a partner lost before the exchange has no weight. If one
     * is lost during the exchange, the vector stays unchanged, although partners may have mixed
     * theirs: their mean then shifts by the change of this rank.
     *
     * @param exchange number of the exchange, from 0; equal on all ranks
     * @return the mixing row
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost and the channel does
     *     not tolerate losses; the vector is then unchanged
     */
    public MixingRow mix(MemorySegment vector, long exchange) {
        long bytes = requireFits(vector);
        MixingRow row = rows.at(exchange);
        send(vector, bytes, row.recipients());
        boolean isComplete = true;
        for (long at = 0; at < bytes; at += SEGMENT_BYTES) {
            long length = Math.min(SEGMENT_BYTES, bytes - at);
            isComplete &= receive(row.parts(), length);
            mixer.mix(mixed, vector, at, length, row, received);
        }
        awaitSent(row.recipients());
        if (isComplete) {
            MemorySegment.copy(mixed, 0, vector, 0, bytes);
        }
        return row;
    }

    /** Sends segment by segment, since one rank may be both recipients. */
    private void send(MemorySegment vector, long bytes, List<Integer> recipients) {
        for (long at = 0; at < bytes; at += SEGMENT_BYTES) {
            long length = Math.min(SEGMENT_BYTES, bytes - at);
            for (int i = 0; i < recipients.size(); i++) {
                channel.send(recipients.get(i), PayloadType.PLAIN, vector, at, length);
            }
        }
    }

    /**
     * Receives a segment of every partner; false if a partner is lost, after the others have
     * arrived.
     */
    private boolean receive(List<Part> parts, long bytes) {
        for (int i = 0; i < parts.size(); i++) {
            channel.receive(parts.get(i).from(), received[i], 0, bytes);
        }
        boolean isComplete = true;
        for (int i = 0; i < parts.size(); i++) {
            isComplete &= channel.awaitReceivedOrLost(parts.get(i).from());
        }
        return isComplete;
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
