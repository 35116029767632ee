package dev.equipoise.agent.server;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.codec.Chance;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.FrameCorrupt;
import dev.equipoise.agent.collective.Slices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Answers whose length only their header tells: they are received one after the other, into one
 * room.
 */
final class CodedAnswers {

    private final Channel channel;
    private final Codec codec;
    private final MemorySegment header;
    private final MemorySegment room;
    private final MemorySegment[] targets;

    CodedAnswers(Channel channel, Codec codec, Sharding sharding, Arena memory) {
        this.channel = channel;
        this.codec = codec;
        this.header = memory.allocate(Message.BYTES, Long.BYTES);
        long largest =
                sharding.shards().stream()
                        .mapToLong(it -> codec.largestPayload(Math.toIntExact(it.elements())))
                        .max()
                        .orElse(0);
        this.room = memory.allocate(largest, Long.BYTES);
        this.targets = new MemorySegment[sharding.shards().size()];
        Arrays.fill(targets, MemorySegment.NULL);
    }

    /** Remembers where the answer belongs. */
    void begin(Shard shard, MemorySegment vector) {
        targets[shard.index()] = vector.asSlice(shard.offset(), shard.bytes());
    }

    Message end(Shard shard) {
        int server = shard.server();
        channel.receive(server, header, 0, Message.BYTES);
        channel.awaitReceived(server);
        Message answer = Message.read(header, 0).requireValues(shard, codec);
        long bytes = answer.payload().bytes();
        Slices.postRoom(channel, server, room, 0, bytes);
        Slices.awaitReceived(channel, server, bytes);
        decode(server, answer, targets[shard.index()]);
        return answer;
    }

    private void decode(int server, Message answer, MemorySegment target) {
        try {
            codec.decode(answer.payload().frame(room), new Chance(0, 0, 0), target);
        } catch (FrameCorrupt e) {
            throw new MessageRefused(server, answer, e);
        }
    }
}
