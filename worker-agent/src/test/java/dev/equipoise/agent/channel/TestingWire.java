package dev.equipoise.agent.channel;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;

/** A stream in memory that moves at most a few bytes at a time and ends when empty. */
final class TestingWire implements GatheringByteChannel, ReadableByteChannel {

    private final int pieceBytes;
    private ByteArrayOutputStream written = new ByteArrayOutputStream();
    private int read;

    TestingWire(int pieceBytes) {
        this.pieceBytes = pieceBytes;
    }

    ByteBuffer bytes() {
        return ByteBuffer.wrap(written.toByteArray()).position(read).slice();
    }

    void clear() {
        written.reset();
        read = 0;
    }

    void flip(int bit) {
        byte[] flipped = written.toByteArray();
        flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        written = new ByteArrayOutputStream();
        written.writeBytes(flipped);
    }

    @Override
    public int read(ByteBuffer target) {
        int bytes = Math.min(Math.min(pieceBytes, target.remaining()), written.size() - read);
        if (bytes == 0 && target.hasRemaining()) {
            return -1;
        }
        target.put(written.toByteArray(), read, bytes);
        read += bytes;
        return bytes;
    }

    @Override
    public int write(ByteBuffer source) {
        int bytes = Math.min(pieceBytes, source.remaining());
        for (int i = 0; i < bytes; i++) {
            written.write(source.get());
        }
        return bytes;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (sources[i].hasRemaining()) {
                return write(sources[i]);
            }
        }
        return 0;
    }

    @Override
    public long write(ByteBuffer[] sources) {
        return write(sources, 0, sources.length);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
