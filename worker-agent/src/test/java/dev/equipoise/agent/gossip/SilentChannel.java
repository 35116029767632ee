package dev.equipoise.agent.gossip;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.MemorySegment;

/** Accepts every frame and never changes a receive buffer, so that one rank can be tested alone. */
record SilentChannel(int rank, int size) implements Channel {

    @Override
    public void send(int to, PayloadType content, MemorySegment memory, long offset, long bytes) {}

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {}

    @Override
    public void awaitReceived(int from) {}

    @Override
    public int awaitAny() {
        throw new UnsupportedOperationException("a silent channel receives no frame");
    }

    @Override
    public Received receiveAtMost(int from, MemorySegment buffer) {
        throw new UnsupportedOperationException("a silent channel receives no frame");
    }

    @Override
    public void awaitSent(int to) {}

    @Override
    public void limit(int to, LinkLimits limits) {}

    @Override
    public long framesSent() {
        return 0;
    }

    @Override
    public long bytesSent() {
        return 0;
    }

    @Override
    public long staleFrames() {
        return 0;
    }

    @Override
    public void close() {}
}
