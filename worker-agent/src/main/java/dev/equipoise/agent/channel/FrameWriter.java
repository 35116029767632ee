package dev.equipoise.agent.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.zip.CRC32C;

/** Writes the frames of one rank to one peer, as far as the socket takes them. */
final class FrameWriter {

    private final int sender;
    private final int generation;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer header = FrameHeader.allocate().limit(0);
    private final ByteBuffer[] frame = {header, header};
    private int frames;

    FrameWriter(int sender, int generation) {
        this.sender = sender;
        this.generation = generation;
    }

    /** Begins the next frame; the payload must stay as it is until the frame is done. */
    void begin(ByteBuffer payload) {
        frames++;
        checksum.reset();
        checksum.update(payload.duplicate());
        new FrameHeader(sender, frames, generation, payload.remaining(), (int) checksum.getValue())
                .encode(header);
        frame[1] = payload;
    }

    /** Writes what can be written without waiting and returns the number of bytes. */
    long advance(GatheringByteChannel target) throws IOException {
        return isDone() ? 0 : target.write(frame);
    }

    boolean isDone() {
        return !header.hasRemaining() && !frame[1].hasRemaining();
    }

    /** The number of frames begun. */
    int frames() {
        return frames;
    }
}
