package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.FrameQueue.Post;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Link shaper: delays and throttles the frames that leave over another link, to emulate a slower
 * network. Each frame occupies the bottleneck for its length over the bandwidth, one after the
 * other, and is then under way for the delay; many frames can be under way at once.
 */
final class LimitedLink implements Link {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int INITIAL_CAPACITY = 16;

    private final Link link;
    private final LinkLimits limits;
    private final LongSupplier nanoTime;
    private final FrameQueue held = new FrameQueue();
    private long[] due = new long[INITIAL_CAPACITY];
    private long framesIn;
    private long framesOut;

    /** Time in nanoseconds at which the last posted frame has left the bottleneck. */
    private long bottleneckFreeAt;

    LimitedLink(Link link, LinkLimits limits, LongSupplier nanoTime) {
        this.link = link;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.bottleneckFreeAt = nanoTime.getAsLong();
    }

    @Override
    public void send(PayloadType content, MemorySegment memory, long offset, long bytes) {
        double seconds = (FrameHeader.BYTES + bytes) / limits.bytesPerSecond();
        bottleneckFreeAt =
                Math.max(bottleneckFreeAt, nanoTime.getAsLong())
                        + Math.round(seconds * NANOS_PER_SECOND);
        enqueue(bottleneckFreeAt + limits.delay().toNanos());
        held.add(content, memory, offset, bytes, true);
    }

    private void enqueue(long until) {
        if (held.count() == due.length) {
            due = Arrays.copyOf(inOrder(), 2 * due.length);
        }
        due[(int) (framesIn++ % due.length)] = until;
    }

    /** Moves the oldest entry to the index where the longer array expects it. */
    private long[] inOrder() {
        long[] ordered = new long[due.length];
        for (int i = 0; i < due.length; i++) {
            ordered[i] = due[(int) ((framesOut + i) % due.length)];
        }
        framesIn -= framesOut;
        framesOut = 0;
        return ordered;
    }

    @Override
    public void receive(MemorySegment memory, long offset, long bytes, boolean exact) {
        link.receive(memory, offset, bytes, exact);
    }

    @Override
    public long advance() throws IOException {
        while (held.count() > 0 && idleNanos() <= 0) {
            Post post = held.first();
            link.send(post.content, post.memory, post.offset, post.bytes);
            held.remove();
            framesOut++;
        }
        return link.advance();
    }

    @Override
    public long idleNanos() {
        return held.count() == 0
                ? link.idleNanos()
                : due[(int) (framesOut % due.length)] - nanoTime.getAsLong();
    }

    @Override
    public int unsent() {
        return held.count() + link.unsent();
    }

    @Override
    public int unreceived() {
        return link.unreceived();
    }

    @Override
    public Received lastReceived() {
        return link.lastReceived();
    }

    @Override
    public long bytesSent() {
        return link.bytesSent();
    }

    @Override
    public long staleFrames() {
        return link.staleFrames();
    }

    @Override
    public long frameOut() {
        return link.frameOut();
    }

    @Override
    public long frameIn() {
        return link.frameIn();
    }

    @Override
    public void close() {
        link.close();
    }
}
