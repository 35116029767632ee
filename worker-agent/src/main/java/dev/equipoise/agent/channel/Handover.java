package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.Posts.Post;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;

/**
 * One direction between two threads: one offers its memory, the other copies it. The offer belongs
 * to the sender while {@code offered} is false and to the receiver while it is true; whoever turns
 * it over rings the other's bell.
 */
final class Handover {

    private final Bell sender;
    private final Bell receiver;
    private final Post offer = new Post();
    private volatile boolean offered;
    private volatile boolean copying;
    private volatile boolean closed;

    Handover(Bell sender, Bell receiver) {
        this.sender = sender;
        this.receiver = receiver;
    }

    /** Not before the last offer is taken. */
    void offer(Post post) {
        offer.content = post.content;
        offer.memory = post.memory;
        offer.offset = post.offset;
        offer.bytes = post.bytes;
        offered = true;
        receiver.ring();
    }

    /** Whether the memory is the sender's again. */
    boolean isTaken() throws IOException {
        if (offered) {
            requireOpen();
        }
        return !offered;
    }

    /** Copies what is offered, and says in the room what it was; false where nothing is. */
    boolean take(Post room) throws IOException {
        if (!offered) {
            requireOpen();
            return false;
        }
        requireFits(room);
        copy(room);
        room.content = offer.content;
        room.bytes = offer.bytes;
        offered = false;
        sender.ring();
        return true;
    }

    private void copy(Post room) throws IOException {
        copying = true;
        try {
            requireOpen();
            MemorySegment.copy(offer.memory, offer.offset, room.memory, room.offset, offer.bytes);
        } finally {
            copying = false;
        }
    }

    /** Returns when nobody copies: what was offered may be freed then. */
    void close() {
        closed = true;
        while (copying) {
            Thread.onSpinWait();
        }
        sender.ring();
        receiver.ring();
    }

    private void requireFits(Post room) throws IOException {
        boolean fits =
                room.exact
                        ? offer.content.isPlain() && offer.bytes == room.bytes
                        : offer.bytes <= room.bytes;
        if (!fits) {
            throw new StreamCorruptedException(
                    "the frame's payload length must be %s%d, but was %d, of codec %d"
                            .formatted(
                                    room.exact ? "" : "at most ",
                                    room.bytes,
                                    offer.bytes,
                                    offer.content.codec()));
        }
    }

    private void requireOpen() throws EOFException {
        if (closed) {
            throw new EOFException("one of the two has closed its channel");
        }
    }
}
