package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.FrameQueue.Post;
import java.io.IOException;

/**
 * Link between two threads of one process: the receiver copies directly out of the sender's memory.
 * Counts the bytes that the same frames would take on a socket, so that traffic figures are
 * comparable.
 */
final class MemoryLink extends QueuedLink {

    private final BufferHandoff outgoing;
    private final BufferHandoff incoming;
    private boolean isOffering;
    private Received lastReceived = new Received(PayloadType.PLAIN, 0);
    private long bytesSent;
    private long framesOut = 1;
    private long framesIn = 1;

    MemoryLink(BufferHandoff outgoing, BufferHandoff incoming) {
        this.outgoing = outgoing;
        this.incoming = incoming;
    }

    @Override
    public long advance() throws IOException {
        return offer() + take();
    }

    private long offer() throws IOException {
        if (out.count() == 0) {
            return 0;
        }
        if (!isOffering) {
            outgoing.offer(out.first());
            isOffering = true;
            return 0;
        }
        if (!outgoing.isTaken()) {
            return 0;
        }
        long moved = FrameHeader.BYTES + out.first().bytes;
        isOffering = false;
        out.remove();
        bytesSent += moved;
        framesOut++;
        return moved;
    }

    private long take() throws IOException {
        if (in.count() == 0) {
            return 0;
        }
        Post buffer = in.first();
        if (!incoming.take(buffer)) {
            return 0;
        }
        if (!buffer.exact) {
            lastReceived = new Received(buffer.content, buffer.bytes);
        }
        in.remove();
        framesIn++;
        return FrameHeader.BYTES + buffer.bytes;
    }

    @Override
    public Received lastReceived() {
        return lastReceived;
    }

    @Override
    public long bytesSent() {
        return bytesSent;
    }

    @Override
    public long frameOut() {
        return framesOut;
    }

    @Override
    public long frameIn() {
        return framesIn;
    }

    @Override
    public void close() {
        outgoing.close();
        incoming.close();
    }
}
