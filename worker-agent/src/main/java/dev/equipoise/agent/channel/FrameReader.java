package dev.equipoise.agent.channel;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;

/**
 * Reads the frames of one peer, as far as they have arrived. Frames of another generation are
 * dropped and counted; any other frame than the one expected is an {@link IOException} that says
 * why.
 */
final class FrameReader {

    private static final int DISCARD_BYTES = 16 * 1024;

    private final int sender;
    private final int generation;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer header = FrameHeader.allocate();
    private ByteBuffer payload = ByteBuffer.allocate(0);
    private State state = State.DONE;
    private int expectedChecksum;
    private int staleBytes;
    private int frames;
    private long staleFrames;

    FrameReader(int sender, int generation) {
        this.sender = sender;
        this.generation = generation;
    }

    /** Begins to wait for the next frame, which must fill the payload. */
    void begin(ByteBuffer payload) {
        this.payload = payload;
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
        int moved = read(source, header);
        if (!header.hasRemaining()) {
            accept(FrameHeader.decode(header));
        }
        return moved;
    }

    private void accept(FrameHeader arrived) throws IOException {
        if (arrived.generation() != generation) {
            staleFrames++;
            staleBytes = arrived.payloadBytes();
            state = State.STALE_PAYLOAD;
            skipIfComplete();
            return;
        }
        arrived.requireExpected(sender, frames, payload.remaining());
        expectedChecksum = arrived.checksum();
        checksum.reset();
        state = State.PAYLOAD;
        finishIfComplete();
    }

    /** Adds to the checksum at once, while the bytes are still in the cache. */
    private long readPayload(ReadableByteChannel source) throws IOException {
        int start = payload.position();
        int moved = read(source, payload);
        checksum.update(payload.duplicate().flip().position(start));
        finishIfComplete();
        return moved;
    }

    private void finishIfComplete() throws IOException {
        if (!payload.hasRemaining()) {
            FrameHeader.requireChecksum(expectedChecksum, (int) checksum.getValue());
            state = State.DONE;
        }
    }

    private long discard(ReadableByteChannel source) throws IOException {
        ByteBuffer discarded = ByteBuffer.allocate(Math.min(staleBytes, DISCARD_BYTES));
        int moved = read(source, discarded);
        staleBytes -= moved;
        skipIfComplete();
        return moved;
    }

    private void skipIfComplete() {
        if (staleBytes == 0) {
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
