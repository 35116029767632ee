package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.FrameChecksum.Cover;
import dev.equipoise.agent.channel.FrameQueue.Post;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;

/** Writes the frames of one rank to one peer, as far as the stream accepts bytes. */
final class FrameWriter {

    private final int sender;
    private final int generation;
    private final ByteBuffer header = FrameHeader.allocate().limit(0);
    private final FrameChecksum checksum;
    private final ByteBuffer[] frame = {header, header};
    private final BufferViews views = new BufferViews();
    private int frames;

    FrameWriter(int sender, int generation, Cover cover) {
        this.checksum = new FrameChecksum(header, cover);
        this.sender = sender;
        this.generation = generation;
    }

    /** Begins the next frame; the payload must not change until the frame is done. */
    void begin(Post post) {
        frames++;
        ByteBuffer payload = views.of(post.memory, post.offset, post.bytes);
        new FrameHeader(post.content, sender, frames, generation, payload.remaining())
                .encode(header);
        checksum.begin();
        checksum.add(payload);
        FrameHeader.setChecksum(header, checksum.value());
        frame[1] = payload;
    }

    /** Writes as many bytes as possible without waiting and returns their number. */
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
