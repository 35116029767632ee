package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Pipelining: sends and receives ranges of vectors in segments, so that a rank can process one
 * segment while the next ones move, and forward data before it has the whole range. Both sides cut
 * a range alike; an empty range is not sent.
 */
public final class PipelineSegments {

    /**
     * Bytes of a segment: half of a usual second-level cache remains for the data to which it is
     * added.
     */
    public static final long BYTES = 128 * 1024;

    /** Forwards to no rank. */
    static final int NO_RANK = -1;

    private final Channel channel;
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment received;

    PipelineSegments(Channel channel, Arena memory) {
        this.channel = channel;
        this.received = memory.allocate(JAVA_FLOAT, BYTES / Float.BYTES);
    }

    /** Returns the bytes of the segment that begins {@code at} bytes into a range. */
    public static long length(long at, long bytes) {
        return Math.min(BYTES, bytes - at);
    }

    /** Posts all segments of a range; its bytes must not change until they are sent. */
    public static void send(Channel channel, int to, MemorySegment vector, long start, long bytes) {
        for (long at = 0; at < bytes; at += BYTES) {
            channel.send(to, PayloadType.PLAIN, vector, start + at, length(at, bytes));
        }
    }

    /**
     * Posts receive buffers for all segments of a range, which can be awaited one by one or
     * together.
     */
    public static void postReceive(
            Channel channel, int from, MemorySegment vector, long start, long bytes) {
        for (long at = 0; at < bytes; at += BYTES) {
            channel.receive(from, vector, start + at, length(at, bytes));
        }
    }

    /** Waits for all segments of a range whose receive buffers were posted. */
    public static void awaitReceived(Channel channel, int from, long bytes) {
        for (long at = 0; at < bytes; at += BYTES) {
            channel.awaitReceived(from);
        }
    }

    void send(int to, MemorySegment vector, long start, long bytes) {
        send(channel, to, vector, start, bytes);
    }

    /**
     * Receives a range and forwards each segment to {@code forwardTo} as soon as it has arrived.
     */
    void receive(int from, MemorySegment vector, long start, long bytes, int forwardTo) {
        for (long at = 0; at < bytes; at += BYTES) {
            long length = length(at, bytes);
            channel.receive(from, vector, start + at, length);
            channel.awaitReceived(from);
            forward(forwardTo, vector, start + at, length);
        }
    }

    /**
     * Adds received data to a range and forwards each segment to {@code forwardTo} as soon as it is
     * added.
     */
    void add(int from, MemorySegment vector, long start, long bytes, int forwardTo) {
        for (long at = 0; at < bytes; at += BYTES) {
            long length = length(at, bytes);
            channel.receive(from, received, 0, length);
            channel.awaitReceived(from);
            sum.add(vector, start + at, received, 0, length);
            forward(forwardTo, vector, start + at, length);
        }
    }

    private void forward(int to, MemorySegment vector, long offset, long bytes) {
        if (to != NO_RANK) {
            channel.send(to, PayloadType.PLAIN, vector, offset, bytes);
        }
    }
}
