package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.FrameQueue.Post;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;

/**
 * One direction between two threads: the sender offers its memory, the receiver copies it. The
 * offer belongs to the sender while {@code offered} is false and to the receiver while it is true;
 * the thread that changes {@code offered} wakes the other one.
 */
final class BufferHandoff {

    private final ThreadWaker sender;
    private final ThreadWaker receiver;
    private final Post offer = new Post();
    private volatile boolean offered;
    private volatile boolean copying;
    private volatile boolean closed;

    BufferHandoff(ThreadWaker sender, ThreadWaker receiver) {
        this.sender = sender;
        this.receiver = receiver;
    }

    /** Offers a frame; the last offer must have been taken. */
    void offer(Post post) {
        offer.content = post.content;
        offer.memory = post.memory;
        offer.offset = post.offset;
        offer.bytes = post.bytes;
        offered = true;
        receiver.ring();
    }

    /**
     * Returns whether the receiver has copied the offer, so that the sender owns the memory again.
     */
    boolean isTaken() throws IOException {
        if (offered) {
            requireOpen();
        }
        return !offered;
    }

    /**
     * Copies the offered frame into the buffer and sets its content and length; false if nothing is
     * offered.
     */
    boolean take(Post buffer) throws IOException {
        if (!offered) {
            requireOpen();
            return false;
        }
        requireFits(buffer);
        copy(buffer);
        buffer.content = offer.content;
        buffer.bytes = offer.bytes;
        offered = false;
        sender.ring();
        return true;
    }

    private void copy(Post buffer) throws IOException {
        copying = true;
        try {
            requireOpen();
            MemorySegment.copy(
                    offer.memory, offer.offset, buffer.memory, buffer.offset, offer.bytes);
        } finally {
            copying = false;
        }
    }

    /**
     * Closes both sides. Returns when no copy is under way, so that the offered memory may be
     * freed.
     */
    void close() {
        closed = true;
        while (copying) {
            Thread.onSpinWait();
        }
        sender.ring();
        receiver.ring();
    }

    private void requireFits(Post buffer) throws IOException {
        boolean fits =
                buffer.exact
                        ? offer.content.isPlain() && offer.bytes == buffer.bytes
                        : offer.bytes <= buffer.bytes;
        if (!fits) {
            throw new StreamCorruptedException(
                    "the frame's payload length must be %s%d, but was %d, of codec %d"
                            .formatted(
                                    buffer.exact ? "" : "at most ",
                                    buffer.bytes,
                                    offer.bytes,
                                    offer.content.codec()));
        }
    }

    private void requireOpen() throws EOFException {
        if (closed) {
            throw new EOFException("the peer or this rank has closed its channel");
        }
    }
}
