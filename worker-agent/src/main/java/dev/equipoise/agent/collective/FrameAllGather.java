package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * All-gather of frames around a ring: every rank gets the frames of all others, which may have
 * unequal lengths. Codecs whose frames cannot be summed need it.
 */
public final class FrameAllGather {

    private final Channel channel;
    private final int next;
    private final int previous;
    private final MemorySegment[] buffers;
    private final Received[] frames;

    /** Allocates a buffer for the longest payload of every rank. */
    public FrameAllGather(Channel channel, long longestPayload, Arena memory) {
        int size = channel.size();
        IntFunction<MemorySegment> allocate = _ -> memory.allocate(longestPayload, Float.BYTES);
        this.channel = channel;
        this.next = (channel.rank() + 1) % size;
        this.previous = Math.floorMod(channel.rank() - 1, size);
        this.buffers = new MemorySegment[size];
        this.frames = new Received[size];
        Arrays.setAll(buffers, allocate);
        Arrays.fill(frames, new Received(PayloadType.PLAIN, 0));
    }

    /** The buffer into which this rank writes its own payload before it gathers. */
    public MemorySegment own() {
        return buffers[channel.rank()];
    }

    /**
     * Gathers the frames of all ranks.
     *
     * @param content type of this rank's payload
     * @param bytes length of this rank's payload in its own buffer
     */
    public void gather(PayloadType content, long bytes) {
        frames[channel.rank()] = new Received(content, bytes);
        for (int step = 0; step < channel.size() - 1; step++) {
            int sent = Math.floorMod(channel.rank() - step, channel.size());
            int received = Math.floorMod(sent - 1, channel.size());
            Received frame = frames[sent];
            channel.send(next, frame.content(), buffers[sent], 0, frame.bytes());
            frames[received] = channel.receiveAtMost(previous, buffers[received]);
        }
        if (channel.size() > 1) {
            channel.awaitSent(next);
        }
    }

    /** The type of a rank's payload. */
    public PayloadType content(int rank) {
        return frames[rank].content();
    }

    /** The payload of a rank, valid until the next call of {@link #gather}. */
    public MemorySegment payload(int rank) {
        return buffers[rank].asSlice(0, frames[rank].bytes());
    }
}
