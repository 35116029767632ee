package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.FrameChecksum.Cover;
import dev.equipoise.agent.channel.Posts.Post;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Reads the frames of one peer, as far as they have arrived. Frames of another generation are
 * dropped and counted; any other frame than the one expected is an {@link IOException} that says
 * why.
 */
final class FrameReader {

    private static final int DISCARD_BYTES = 16 * 1024;

    private final int sender;
    private final int generation;
    private final ByteBuffer header = FrameHeader.allocate();
    private final FrameChecksum checksum;
    private final Views views = new Views();
    private Post room = new Post();
    private ByteBuffer payload = ByteBuffer.allocate(0);
    private State state = State.DONE;
    private Content content = Content.PLAIN;
    private int payloadBytes;
    private int expectedChecksum;
    private int staleBytes;
    private int frames;
    private long staleFrames;

    FrameReader(int sender, int generation, Cover cover) {
        this.checksum = new FrameChecksum(header, cover);
        this.sender = sender;
        this.generation = generation;
    }

    /** Begins to wait for the next frame, which goes where the post says. */
    void begin(Post post) {
        room = post;
        frames++;
        awaitHeader();
    }

    /** Reads what can be read without waiting and returns the number of bytes. */
    long advance(ReadableByteChannel source) throws IOException {
        return switch (state) {
            case HEADER -> readHeader(source);
            case STALE_PAYLOAD -> discard(source);
            case PAYLOAD -> readPayload(source);
            case DONE -> 0;
        };
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /** The last frame that is done. */
    Received received() {
        return new Received(content, payloadBytes);
    }

    /** The number of frames begun, dropped ones not counted. */
    int frames() {
        return frames;
    }

    long staleFrames() {
        return staleFrames;
    }

    private void awaitHeader() {
        header.clear();
        state = State.HEADER;
    }

    private long readHeader(ReadableByteChannel source) throws IOException {
        long moved = read(source, header);
        if (!header.hasRemaining()) {
            accept(FrameHeader.decode(header));
        }
        // The payload is mostly there when the header is.
        return state == State.PAYLOAD ? moved + readPayload(source) : moved;
    }

    private void accept(FrameHeader arrived) throws IOException {
        expectedChecksum = FrameHeader.checksum(header);
        checksum.begin();
        if (arrived.generation() != generation) {
            staleBytes = arrived.payloadBytes();
            state = State.STALE_PAYLOAD;
            skipIfComplete();
            return;
        }
        arrived.requireExpected(sender, frames);
        if (room.exact) {
            arrived.requirePlain(room.bytes);
        } else {
            arrived.requireAtMost(room.bytes);
        }
        content = arrived.content();
        payloadBytes = arrived.payloadBytes();
        payload = views.of(room.memory, room.offset, payloadBytes);
        state = State.PAYLOAD;
        finishIfComplete();
    }

    /** Adds to the checksum at once, while the bytes are still in the cache. */
    private long readPayload(ReadableByteChannel source) throws IOException {
        int start = payload.position();
        int end = payload.limit();
        int moved = read(source, payload);
        checksum.add(payload.limit(start + moved).position(start));
        payload.limit(end).position(start + moved);
        finishIfComplete();
        return moved;
    }

    private void finishIfComplete() throws IOException {
        if (!payload.hasRemaining()) {
            requireChecksum();
            state = State.DONE;
        }
    }

    private void requireChecksum() throws IOException {
        FrameHeader.requireChecksum(expectedChecksum, checksum.value());
    }

    private long discard(ReadableByteChannel source) throws IOException {
        ByteBuffer discarded = ByteBuffer.allocate(Math.min(staleBytes, DISCARD_BYTES));
        int moved = read(source, discarded);
        checksum.add(discarded.flip());
        staleBytes -= moved;
        skipIfComplete();
        return moved;
    }

    private void skipIfComplete() throws IOException {
        if (staleBytes == 0) {
            requireChecksum();
            staleFrames++;
            awaitHeader();
        }
    }

    private static int read(ReadableByteChannel source, ByteBuffer target) throws IOException {
        int moved = source.read(target);
        if (moved < 0) {
            throw new EOFException("the peer has closed the connection");
        }
        return moved;
    }

    private enum State {
        /** The header is incomplete. */
        HEADER,
        /** A frame of another generation is thrown away. */
        STALE_PAYLOAD,
        /** The payload is incomplete. */
        PAYLOAD,
        /** Nothing is awaited. */
        DONE
    }
}
