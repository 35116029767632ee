package dev.equipoise.agent.link;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.time.TestingTime;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Queue;

/**
 * Channel that advances the clock of its rank by the modeled time of each frame. Logs the sender
 * and receiver of each frame, in one log of all ranks.
 */
record ModeledChannel(Channel channel, LinkMatrix costs, TestingTime time, Queue<RankPair> sent)
        implements Channel {

    /** Length, in bytes, below which a frame is between measurements. */
    private static final long MIN_MEASURED = 1_000;

    @Override
    public void send(int to, PayloadType content, MemorySegment memory, long offset, long bytes) {
        advance(to, bytes);
        if (bytes >= MIN_MEASURED) {
            sent.add(RankPair.of(rank(), to));
        }
        channel.send(to, content, memory, offset, bytes);
    }

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {
        advance(from, bytes);
        channel.receive(from, memory, offset, bytes);
    }

    private void advance(int peer, long bytes) {
        double seconds = costs.cost(rank(), peer).seconds(bytes);
        time.idle(Duration.ofNanos(Math.round(seconds * 1e9)));
    }

    @Override
    public int rank() {
        return channel.rank();
    }

    @Override
    public int size() {
        return channel.size();
    }

    @Override
    public void awaitReceived(int from) {
        channel.awaitReceived(from);
    }

    @Override
    public int awaitAny() {
        return channel.awaitAny();
    }

    @Override
    public Received receiveAtMost(int from, MemorySegment buffer) {
        return channel.receiveAtMost(from, buffer);
    }

    @Override
    public void awaitSent(int to) {
        channel.awaitSent(to);
    }

    @Override
    public void limit(int to, LinkLimits limits) {
        channel.limit(to, limits);
    }

    @Override
    public long framesSent() {
        return channel.framesSent();
    }

    @Override
    public long bytesSent() {
        return channel.bytesSent();
    }

    @Override
    public long staleFrames() {
        return channel.staleFrames();
    }

    @Override
    public void close() {
        channel.close();
    }
}
