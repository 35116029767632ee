package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.Posts.Post;
import java.io.IOException;

/**
 * Frames between two threads: the receiver copies straight out of the sender's memory. Counts the
 * bytes that the same frames would take on a socket, so that figures compare.
 */
final class MemoryLink extends PostedLink {

    private final Handover outgoing;
    private final Handover incoming;
    private boolean isOffering;
    private Received lastReceived = new Received(Content.PLAIN, 0);
    private long bytesSent;
    private long framesOut = 1;
    private long framesIn = 1;

    MemoryLink(Handover outgoing, Handover incoming) {
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
        Post room = in.first();
        if (!incoming.take(room)) {
            return 0;
        }
        if (!room.exact) {
            lastReceived = new Received(room.content, room.bytes);
        }
        in.remove();
        framesIn++;
        return FrameHeader.BYTES + room.bytes;
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
