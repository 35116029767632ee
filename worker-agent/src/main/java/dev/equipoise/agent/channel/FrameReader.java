package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.FrameChecksum.Cover;
import dev.equipoise.agent.channel.FrameQueue.Post;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Reads the frames of one peer, as far as they have arrived. Drops and counts frames of another
 * generation; any other unexpected frame is an {@link IOException} that says why.
 */
final class FrameReader {

    private static final int DISCARD_BYTES = 16 * 1024;

    private final int sender;
    private final int generation;
    private final ByteBuffer header = FrameHeader.allocate();
    private final FrameChecksum checksum;
    private final BufferViews views = new BufferViews();
    private Post buffer = new Post();
    private ByteBuffer payload = ByteBuffer.allocate(0);
    private State state = State.DONE;
    private PayloadType content = PayloadType.PLAIN;
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

    /** Begins to wait for the next frame, which is written to the memory of the post. */
    void begin(Post post) {
        buffer = post;
        frames++;
        awaitHeader();
    }

    /** Reads as many bytes as possible without waiting and returns their number. */
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

    /** The last completed frame. */
    Received received() {
        return new Received(content, payloadBytes);
    }

    /** The number of frames begun, without dropped ones. */
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
        // The payload has mostly arrived when the header has.
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
        if (buffer.exact) {
            arrived.requirePlain(buffer.bytes);
        } else {
            arrived.requireAtMost(buffer.bytes);
        }
        content = arrived.content();
        payloadBytes = arrived.payloadBytes();
        payload = views.of(buffer.memory, buffer.offset, payloadBytes);
        state = State.PAYLOAD;
        finishIfComplete();
    }

    /** Reads payload and updates the checksum at once, while the bytes are still in the cache. */
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
        /** A frame of another generation is being dropped. */
        STALE_PAYLOAD,
        /** The payload is incomplete. */
        PAYLOAD,
        /** No frame is awaited. */
        DONE
    }
}
