package dev.equipoise.agent.gossip;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.channel.LinkLimits;
import java.lang.foreign.MemorySegment;

/** Takes every frame, and leaves every room as it is: what one rank does can be seen alone. */
record SilentChannel(int rank, int size) implements Channel {

    @Override
    public void send(int to, Content content, MemorySegment memory, long offset, long bytes) {}

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {}

    @Override
    public void awaitReceived(int from) {}

    @Override
    public int awaitAny() {
        throw new UnsupportedOperationException("nobody speaks here");
    }

    @Override
    public Received receiveAtMost(int from, MemorySegment room) {
        throw new UnsupportedOperationException("nobody speaks here");
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
