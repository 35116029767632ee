package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Channel of a hostile rank. It replaces all floats of the long plain frames that it sends, and the
 * last float of each encoded frame, by one value. Short frames, which coordinate the ranks, and all
 * lengths stay as they are.
 */
record PoisonedChannel(Channel channel, float poison) implements Channel {

    /** Minimum length of a frame of gradients or weights, in bytes. */
    private static final int LONG = 512;

    @Override
    public void send(int to, PayloadType content, MemorySegment memory, long offset, long bytes) {
        if (bytes < Float.BYTES || (content.isPlain() && bytes < LONG)) {
            channel.send(to, content, memory, offset, bytes);
            return;
        }
        MemorySegment poisoned = Arena.ofAuto().allocate(bytes, Long.BYTES);
        MemorySegment.copy(memory, offset, poisoned, 0, bytes);
        long last = bytes - Float.BYTES;
        for (long i = content.isPlain() ? last % Float.BYTES : last; i <= last; i += Float.BYTES) {
            poisoned.set(JAVA_FLOAT_UNALIGNED, i, poison);
        }
        channel.send(to, content, poisoned, 0, bytes);
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
    public void tolerateLosses() {
        channel.tolerateLosses();
    }

    @Override
    public boolean isLost(int peer) {
        return channel.isLost(peer);
    }

    @Override
    public boolean hasLosses() {
        return channel.hasLosses();
    }

    @Override
    public void lose(int peer) {
        channel.lose(peer);
    }

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {
        channel.receive(from, memory, offset, bytes);
    }

    @Override
    public void awaitReceived(int from) {
        channel.awaitReceived(from);
    }

    @Override
    public boolean awaitReceivedOrLost(int from) {
        return channel.awaitReceivedOrLost(from);
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
    public long bytesSent() {
        return channel.bytesSent();
    }

    @Override
    public long framesSent() {
        return channel.framesSent();
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
