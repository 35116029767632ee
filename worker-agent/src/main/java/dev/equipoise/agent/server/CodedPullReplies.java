package dev.equipoise.agent.server;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.CodecRandom;
import dev.equipoise.agent.codec.FrameCorrupt;
import dev.equipoise.agent.collective.PipelineSegments;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Receives coded replies. Their lengths are known from their headers only, so they are received one
 * after the other into one buffer.
 */
final class CodedPullReplies {

    private final Channel channel;
    private final Codec codec;
    private final MemorySegment header;
    private final MemorySegment buffer;
    private final MemorySegment[] targets;

    CodedPullReplies(Channel channel, Codec codec, Sharding sharding, Arena memory) {
        this.channel = channel;
        this.codec = codec;
        this.header = memory.allocate(Message.BYTES, Long.BYTES);
        long largest =
                sharding.shards().stream()
                        .mapToLong(it -> codec.largestPayload(Math.toIntExact(it.elements())))
                        .max()
                        .orElse(0);
        this.buffer = memory.allocate(largest, Long.BYTES);
        this.targets = new MemorySegment[sharding.shards().size()];
        Arrays.fill(targets, MemorySegment.NULL);
    }

    /** Stores the range of the vector into which the reply is decoded. */
    void begin(Shard shard, MemorySegment vector) {
        targets[shard.index()] = vector.asSlice(shard.offset(), shard.bytes());
    }

    Message end(Shard shard) {
        int server = shard.server();
        channel.receive(server, header, 0, Message.BYTES);
        channel.awaitReceived(server);
        Message reply = Message.read(header, 0).requireValues(shard, codec);
        long bytes = reply.payload().bytes();
        PipelineSegments.postReceive(channel, server, buffer, 0, bytes);
        PipelineSegments.awaitReceived(channel, server, bytes);
        decode(server, reply, targets[shard.index()]);
        return reply;
    }

    private void decode(int server, Message reply, MemorySegment target) {
        try {
            codec.decode(reply.payload().frame(buffer), new CodecRandom(0, 0, 0), target);
        } catch (FrameCorrupt e) {
            throw new MessageRefused(server, reply, e);
        }
    }
}
