package dev.equipoise.agent.link;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.time.TestingTime;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Queue;

/**
 * Moves frames by another channel and the clock of its rank by what they would take: a frame out
 * and its answer take two messages. Writes down who has sent to whom, in one log of all ranks.
 */
record ModelledChannel(Channel channel, LinkMatrix costs, TestingTime time, Queue<RankPair> sent)
        implements Channel {

    /** Shorter frames are between measurements. */
    private static final long LEAST_MEASURED = 1_000;

    @Override
    public void send(int to, Content content, MemorySegment memory, long offset, long bytes) {
        pass(to, bytes);
        if (bytes >= LEAST_MEASURED) {
            sent.add(RankPair.of(rank(), to));
        }
        channel.send(to, content, memory, offset, bytes);
    }

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {
        pass(from, bytes);
        channel.receive(from, memory, offset, bytes);
    }

    private void pass(int peer, long bytes) {
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
    public Received receiveAtMost(int from, MemorySegment room) {
        return channel.receiveAtMost(from, room);
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
