package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Byte buffer views of memory, for sockets. An exchange works on few vectors again and again, so
 * their views are cached; a view is valid until the next one of the same memory is requested.
 */
final class BufferViews {

    private static final int CAPACITY = 4;

    private final MemorySegment[] memories = new MemorySegment[CAPACITY];
    private final ByteBuffer[] buffers = new ByteBuffer[CAPACITY];
    private int oldest;

    BufferViews() {
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
        for (int i = 0; i < CAPACITY; i++) {
            if (isSame(memories[i], memory)) {
                return buffers[i].clear();
            }
        }
        ByteBuffer buffer = memory.asByteBuffer();
        memories[oldest] = memory;
        buffers[oldest] = buffer;
        oldest = (oldest + 1) % CAPACITY;
        return buffer;
    }

    /** Compares scopes too: memory that was freed and reallocated needs another view. */
    private static boolean isSame(MemorySegment cached, MemorySegment memory) {
        return cached.equals(memory)
                && cached.byteSize() == memory.byteSize()
                && cached.scope().equals(memory.scope());
    }
}
