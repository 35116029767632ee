package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** FIFO queue of posted frames. Allocates only to grow. */
final class FrameQueue {

    private static final int INITIAL_CAPACITY = 16;

    private Post[] ring = filled(new Post[INITIAL_CAPACITY], 0);
    private int first;
    private int count;

    /**
     * Memory that a frame is read from or written to.
     *
     * <p>{@code exact}: a plain frame must fill the memory; else any frame that fits may come.
     */
    static final class Post {
        MemorySegment memory = MemorySegment.NULL;
        long offset;
        long bytes;
        PayloadType content = PayloadType.PLAIN;
        boolean exact;
    }

    void add(PayloadType content, MemorySegment memory, long offset, long bytes, boolean exact) {
        if (count == ring.length) {
            grow();
        }
        Post post = ring[(first + count) & (ring.length - 1)];
        post.memory = memory;
        post.offset = offset;
        post.bytes = bytes;
        post.content = content;
        post.exact = exact;
        count++;
    }

    int count() {
        return count;
    }

    Post first() {
        return ring[first];
    }

    void remove() {
        ring[first].memory = MemorySegment.NULL;
        first = (first + 1) & (ring.length - 1);
        count--;
    }

    private void grow() {
        Post[] larger = Arrays.copyOf(ring, 2 * ring.length);
        for (int i = 0; i < ring.length; i++) {
            larger[i] = ring[(first + i) & (ring.length - 1)];
        }
        ring = filled(larger, ring.length);
        first = 0;
    }

    private static Post[] filled(Post[] posts, int from) {
        for (int i = from; i < posts.length; i++) {
            posts[i] = new Post();
        }
        return posts;
    }
}
