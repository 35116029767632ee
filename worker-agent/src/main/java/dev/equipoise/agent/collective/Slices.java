package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Ranges of vectors on their way in slices, so that a rank can work on one while the next ones
 * move, and pass on what it has before it has all. Both sides cut a range alike; an empty one does
 * not travel.
 */
public final class Slices {

    /** Half of a usual second-level cache is left for what the slice is added to. */
    public static final long BYTES = 128 * 1024;

    /** To pass nothing on. */
    static final int NOBODY = -1;

    private final Channel channel;
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment received;

    Slices(Channel channel, Arena memory) {
        this.channel = channel;
        this.received = memory.allocate(JAVA_FLOAT, BYTES / Float.BYTES);
    }

    /** How many bytes the slice has that begins {@code at} bytes into a range. */
    public static long length(long at, long bytes) {
        return Math.min(BYTES, bytes - at);
    }

    /** Posts all slices of a range; they must stay as they are until they are sent. */
    public static void send(Channel channel, int to, MemorySegment vector, long start, long bytes) {
        for (long at = 0; at < bytes; at += BYTES) {
            channel.send(to, Content.PLAIN, vector, start + at, length(at, bytes));
        }
    }

    /** Posts room for all slices of a range, each to be awaited by itself or all together. */
    public static void postRoom(
            Channel channel, int from, MemorySegment vector, long start, long bytes) {
        for (long at = 0; at < bytes; at += BYTES) {
            channel.receive(from, vector, start + at, length(at, bytes));
        }
    }

    /** Returns when all slices of a range are there for which room was posted. */
    public static void awaitReceived(Channel channel, int from, long bytes) {
        for (long at = 0; at < bytes; at += BYTES) {
            channel.awaitReceived(from);
        }
    }

    void send(int to, MemorySegment vector, long start, long bytes) {
        send(channel, to, vector, start, bytes);
    }

    /** Overwrites the range; each slice goes on to {@code then} as soon as it is there. */
    void receive(int from, MemorySegment vector, long start, long bytes, int then) {
        for (long at = 0; at < bytes; at += BYTES) {
            long length = length(at, bytes);
            channel.receive(from, vector, start + at, length);
            channel.awaitReceived(from);
            passOn(then, vector, start + at, length);
        }
    }

    /** Adds to the range; each slice goes on to {@code then} as soon as it is added. */
    void add(int from, MemorySegment vector, long start, long bytes, int then) {
        for (long at = 0; at < bytes; at += BYTES) {
            long length = length(at, bytes);
            channel.receive(from, received, 0, length);
            channel.awaitReceived(from);
            sum.add(vector, start + at, received, 0, length);
            passOn(then, vector, start + at, length);
        }
    }

    private void passOn(int to, MemorySegment vector, long offset, long bytes) {
        if (to != NOBODY) {
            channel.send(to, Content.PLAIN, vector, offset, bytes);
        }
    }
}
