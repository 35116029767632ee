package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.FrameChecksum.Cover;
import java.io.IOException;

/**
 * Link to a peer in another process, which writes frames to a byte stream and reads frames from
 * one.
 */
final class FramedLink extends QueuedLink {

    private final Pipe pipe;
    private final FrameWriter writer;
    private final FrameReader reader;
    private boolean isWriting;
    private boolean isReading;
    private long bytesSent;

    FramedLink(int rank, int peer, int generation, Cover cover, Pipe pipe) {
        this.pipe = pipe;
        this.writer = new FrameWriter(rank, generation, cover);
        this.reader = new FrameReader(peer, generation, cover);
    }

    @Override
    public long advance() throws IOException {
        return write() + read();
    }

    private long write() throws IOException {
        if (out.count() == 0) {
            return 0;
        }
        if (!isWriting) {
            writer.begin(out.first());
            isWriting = true;
        }
        long moved = writer.advance(pipe);
        bytesSent += moved;
        if (writer.isDone() && isFlushed()) {
            isWriting = false;
            out.remove();
        }
        return moved;
    }

    /** Flushes buffered bytes, unless a next frame follows and takes them along. */
    private boolean isFlushed() {
        return out.count() > 1 || pipe.flush();
    }

    private long read() throws IOException {
        if (in.count() == 0) {
            return 0;
        }
        if (!isReading) {
            reader.begin(in.first());
            isReading = true;
        }
        long moved = reader.advance(pipe);
        if (reader.isDone()) {
            isReading = false;
            in.remove();
        }
        return moved;
    }

    @Override
    public Received lastReceived() {
        return reader.received();
    }

    @Override
    public long bytesSent() {
        return bytesSent;
    }

    @Override
    public long frameOut() {
        return writer.frames() + (isWriting || out.count() == 0 ? 0L : 1);
    }

    @Override
    public long frameIn() {
        return reader.frames() + (isReading || in.count() == 0 ? 0L : 1);
    }

    @Override
    public long staleFrames() {
        return reader.staleFrames();
    }

    @Override
    public void close() {
        Sockets.closeQuietly(pipe);
    }
}
