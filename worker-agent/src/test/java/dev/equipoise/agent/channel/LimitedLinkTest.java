package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel.Received;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LimitedLinkTest {

    private static final int FRAMES = 50;
    private static final long BYTES = 100;
    private static final Duration DELAY = Duration.ofMillis(100);
    private static final MemorySegment MEMORY = Arena.ofAuto().allocate(BYTES);

    private final AtomicLong clock = new AtomicLong(7);
    private final CountingLink sent = new CountingLink();

    @Test
    void manyFramesShareTheDelay() throws IOException {
        var link = link(new LinkLimits(Double.POSITIVE_INFINITY, DELAY));

        clock.addAndGet(DELAY.toNanos() - 1);
        link.advance();

        assertThat(sent.frames).isZero();
        assertThat(link.idleNanos()).isEqualTo(1);

        clock.addAndGet(1);
        link.advance();

        assertThat(sent.frames).isEqualTo(FRAMES);
        assertThat(link.unsent()).isZero();
    }

    @Test
    void framesPassTheBottleneckOneAfterTheOther() throws IOException {
        long nanosPerFrame = 1_000_000;
        double bytesPerSecond = (FrameHeader.BYTES + BYTES) * 1e9 / nanosPerFrame;
        var link = link(new LinkLimits(bytesPerSecond, DELAY));

        clock.addAndGet(DELAY.toNanos() + 3 * nanosPerFrame);
        link.advance();

        assertThat(sent.frames).isEqualTo(3);
        assertThat(link.unsent()).isEqualTo(FRAMES - 3);
        assertThat(link.idleNanos()).isEqualTo(nanosPerFrame);
    }

    /** A shaped link with {@value #FRAMES} queued frames. */
    private LimitedLink link(LinkLimits limits) {
        var link = new LimitedLink(sent, limits, clock::get);
        for (int frame = 0; frame < FRAMES; frame++) {
            link.send(PayloadType.PLAIN, MEMORY, 0, BYTES);
        }
        return link;
    }

    private static final class CountingLink implements Link {

        private int frames;

        @Override
        public void send(PayloadType content, MemorySegment memory, long offset, long bytes) {
            frames++;
        }

        @Override
        public void receive(MemorySegment memory, long offset, long bytes, boolean exact) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long advance() {
            return 0;
        }

        @Override
        public int unsent() {
            return 0;
        }

        @Override
        public int unreceived() {
            return 0;
        }

        @Override
        public Received lastReceived() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long bytesSent() {
            return 0;
        }

        @Override
        public long frameOut() {
            return 1;
        }

        @Override
        public long frameIn() {
            return 1;
        }

        @Override
        public void close() {}
    }
}
