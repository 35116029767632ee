package dev.equipoise.agent.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A single-producer single-consumer ring buffer in memory that two processes share, for one
 * direction of bytes. One process writes, the other one reads, and each publishes its progress in a
 * counter that only it changes (Lamport, Proving the correctness of multiprocess programs, 1977).
 */
final class SharedRing {

    /**
     * Capacity in bytes, a power of two. It is small enough that the bytes are still in the
     * second-level cache when they are read: with 1 MB an all-reduce of 16 MB takes a third longer.
     */
    static final int CAPACITY = 256 * 1024;

    /**
     * Offset of the read counter. The counters have cache lines of their own, out of each other's
     * prefetches.
     */
    private static final int READ_AT = 128;

    /** Offset of a flag that is not 0 while the reader sleeps until there are bytes. */
    private static final int READER_SLEEPS_AT = 64;

    /** Offset of a flag that is not 0 while the writer sleeps until there is space. */
    private static final int WRITER_SLEEPS_AT = 192;

    private static final int DATA_AT = 256;

    static final long BYTES = DATA_AT + CAPACITY;

    /**
     * Bytes copied before the counter is published, so that the reader can begin while the rest is
     * copied.
     */
    private static final int PIECE = 32 * 1024;

    private static final int MASK = CAPACITY - 1;
    private static final VarHandle COUNTER = JAVA_LONG.varHandle();

    private final MemorySegment counters;
    private final ByteBuffer data;
    private long position;

    SharedRing(MemorySegment memory) {
        this.counters = memory.asSlice(0, DATA_AT);
        this.data = memory.asSlice(DATA_AT, CAPACITY).asByteBuffer();
    }

    /** Writes as many bytes as there is space for. */
    int write(ByteBuffer source) throws IOException {
        int moved = 0;
        while (source.hasRemaining()) {
            long read = (long) COUNTER.getAcquire(counters, (long) READ_AT);
            int space = CAPACITY - distance(position, read);
            int bytes = Math.min(Math.min(space, PIECE), source.remaining());
            if (bytes == 0) {
                break;
            }
            copyIn(source, bytes);
            position += bytes;
            moved += bytes;
            COUNTER.setRelease(counters, 0L, position);
        }
        return moved;
    }

    /** Reads as many bytes as there are. */
    int read(ByteBuffer target) throws IOException {
        long written = (long) COUNTER.getAcquire(counters, 0L);
        int bytes = Math.min(distance(written, position), target.remaining());
        if (bytes > 0) {
            copyOut(target, bytes);
            position += bytes;
            COUNTER.setRelease(counters, (long) READ_AT, position);
        }
        return bytes;
    }

    /** Returns whether the reader has read everything. */
    boolean isEmpty() {
        return (long) COUNTER.getAcquire(counters, 0L) == position;
    }

    /** The reader calls this before it polls for the last time and sleeps. */
    void announceSleepOfReader() {
        COUNTER.setVolatile(counters, (long) READER_SLEEPS_AT, 1L);
        VarHandle.fullFence();
    }

    /** The writer calls this before it polls for the last time and sleeps. */
    void announceSleepOfWriter() {
        COUNTER.setVolatile(counters, (long) WRITER_SLEEPS_AT, 1L);
        VarHandle.fullFence();
    }

    /** Tells the writer after a write whether it must wake the reader; true once for each sleep. */
    boolean mustWakeReader() {
        return mustWake(READER_SLEEPS_AT);
    }

    /** Tells the reader after a read whether it must wake the writer; true once for each sleep. */
    boolean mustWakeWriter() {
        return mustWake(WRITER_SLEEPS_AT);
    }

    /**
     * Clears the flag if it is set. The fence orders the read of the flag after the change of the
     * counter, as the sleeper's fence orders its last read of the counter after the flag: one of
     * the two sees the other (Dekker's algorithm).
     */
    private boolean mustWake(long flagAt) {
        VarHandle.fullFence();
        return (long) COUNTER.getOpaque(counters, flagAt) != 0
                && COUNTER.compareAndSet(counters, flagAt, 1L, 0L);
    }

    private void copyIn(ByteBuffer source, int bytes) {
        int at = (int) position & MASK;
        int first = Math.min(bytes, CAPACITY - at);
        data.put(at, source, source.position(), first);
        data.put(0, source, source.position() + first, bytes - first);
        source.position(source.position() + bytes);
    }

    private void copyOut(ByteBuffer target, int bytes) {
        int at = (int) position & MASK;
        int first = Math.min(bytes, CAPACITY - at);
        target.put(target.position(), data, at, first);
        target.put(target.position() + first, data, 0, bytes - first);
        target.position(target.position() + bytes);
    }

    /** Checks the counters, since the other process may have written anything. */
    private static int distance(long ahead, long behind) throws IOException {
        long distance = ahead - behind;
        if (distance < 0 || distance > CAPACITY) {
            throw new StreamCorruptedException(
                    ("corrupt shared memory: the writer must be at most %d bytes ahead of the"
                                    + " reader, but is %d")
                            .formatted(CAPACITY, distance));
        }
        return (int) distance;
    }
}
