package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.Content;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Hands every rank the frames of all others, which may be of unequal lengths, around the ring: what
 * a codec needs whose frames cannot be summed.
 */
public final class FrameGather {

    private final Channel channel;
    private final int next;
    private final int previous;
    private final MemorySegment[] rooms;
    private final Received[] frames;

    /** Sets memory aside for the longest payload of every rank. */
    public FrameGather(Channel channel, long longestPayload, Arena memory) {
        int size = channel.size();
        IntFunction<MemorySegment> room = _ -> memory.allocate(longestPayload, Float.BYTES);
        this.channel = channel;
        this.next = (channel.rank() + 1) % size;
        this.previous = Math.floorMod(channel.rank() - 1, size);
        this.rooms = new MemorySegment[size];
        this.frames = new Received[size];
        Arrays.setAll(rooms, room);
        Arrays.fill(frames, new Received(Content.PLAIN, 0));
    }

    /** Where this rank writes its own payload before it gathers. */
    public MemorySegment own() {
        return rooms[channel.rank()];
    }

    /** Exchanges; {@code bytes} of the own room are the payload. */
    public void gather(Content content, long bytes) {
        frames[channel.rank()] = new Received(content, bytes);
        for (int step = 0; step < channel.size() - 1; step++) {
            int leaving = Math.floorMod(channel.rank() - step, channel.size());
            int coming = Math.floorMod(leaving - 1, channel.size());
            Received frame = frames[leaving];
            channel.send(next, frame.content(), rooms[leaving], 0, frame.bytes());
            frames[coming] = channel.receiveAtMost(previous, rooms[coming]);
        }
        if (channel.size() > 1) {
            channel.awaitSent(next);
        }
    }

    /** What the payload of a rank means. */
    public Content content(int rank) {
        return frames[rank].content();
    }

    /** The payload of a rank, until the next call. */
    public MemorySegment payload(int rank) {
        return rooms[rank].asSlice(0, frames[rank].bytes());
    }
}
