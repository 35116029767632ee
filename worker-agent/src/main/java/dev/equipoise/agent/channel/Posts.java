package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Frames that wait for their turn, first in, first out. Allocates only to grow. */
final class Posts {

    private static final int FIRST_ROOM = 16;

    private Post[] ring = filled(new Post[FIRST_ROOM], 0);
    private int first;
    private int count;

    /** Memory that a frame is read from or written to. */
    static final class Post {
        MemorySegment memory = MemorySegment.NULL;
        long offset;
        long bytes;
        Content content = Content.PLAIN;
        boolean exact;
    }

    void add(Content content, MemorySegment memory, long offset, long bytes, boolean exact) {
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
