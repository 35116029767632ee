package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.Posts.Post;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Frames between two threads: the receiver copies straight out of the sender's memory. Counts the
 * bytes that the same frames would take on a socket, so that figures compare.
 */
final class MemoryLink implements Link {

    private final Handover outgoing;
    private final Handover incoming;
    private final Posts out = new Posts();
    private final Posts in = new Posts();
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
    public void send(Content content, MemorySegment memory, long offset, long bytes) {
        out.add(content, memory, offset, bytes, true);
    }

    @Override
    public void receive(MemorySegment memory, long offset, long bytes, boolean exact) {
        in.add(Content.PLAIN, memory, offset, bytes, exact);
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
    public int unsent() {
        return out.count();
    }

    @Override
    public int unreceived() {
        return in.count();
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
