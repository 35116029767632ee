package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Buffers over memory, for sockets. The few vectors that an exchange works on come again and again,
 * so their views are kept; a buffer is good until the next one of the same memory is asked for.
 */
final class Views {

    private static final int KEPT = 4;

    private final MemorySegment[] memories = new MemorySegment[KEPT];
    private final ByteBuffer[] buffers = new ByteBuffer[KEPT];
    private int oldest;

    Views() {
        Arrays.fill(memories, MemorySegment.NULL);
        Arrays.fill(buffers, ByteBuffer.allocate(0));
    }

    ByteBuffer of(MemorySegment memory, long offset, long bytes) {
        if (memory.byteSize() > Integer.MAX_VALUE) {
            return memory.asSlice(offset, bytes).asByteBuffer();
        }
        int start = Math.toIntExact(offset);
        return bufferOf(memory).limit(start + Math.toIntExact(bytes)).position(start);
    }

    private ByteBuffer bufferOf(MemorySegment memory) {
        for (int i = 0; i < KEPT; i++) {
            if (isSame(memories[i], memory)) {
                return buffers[i].clear();
            }
        }
        ByteBuffer buffer = memory.asByteBuffer();
        memories[oldest] = memory;
        buffers[oldest] = buffer;
        oldest = (oldest + 1) % KEPT;
        return buffer;
    }

    /** Memory that was freed may have been given out again, which needs another view. */
    private static boolean isSame(MemorySegment kept, MemorySegment memory) {
        return kept.equals(memory)
                && kept.byteSize() == memory.byteSize()
                && kept.scope().equals(memory.scope());
    }
}
