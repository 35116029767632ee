package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.CodecRandom;
import dev.equipoise.agent.codec.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Replies of a server that only aggregates: it answers all replicas with the aggregate of the
 * round, and holds no weights. If gradients are compressed, the aggregate is compressed too, once
 * for all replicas.
 */
final class Aggregates implements PullReplies {

    /** Replaces the previous aggregate. */
    static final Update REPLACEMENT =
            (_, last, aggregate, _) -> {
                last.copyFrom(aggregate);
                return true;
            };

    /** The codec draws no random numbers. */
    private static final CodecRandom UNUSED = new CodecRandom(0, 0, 0);

    private final @Nullable Codec codec;
    private final Map<Integer, MemorySegment> buffers;

    /**
     * Allocates memory for the frames.
     *
     * @param codec null to send the aggregate uncompressed
     * @param shards of the server
     */
    Aggregates(@Nullable Codec codec, List<Shard> shards, Arena memory) {
        this.codec = codec;
        this.buffers =
                codec == null
                        ? Map.of()
                        : shards.stream()
                                .collect(
                                        Collectors.toUnmodifiableMap(
                                                Shard::index, it -> buffer(codec, it, memory)));
    }

    private static MemorySegment buffer(Codec codec, Shard shard, Arena memory) {
        return memory.allocate(codec.largestPayload(Math.toIntExact(shard.elements())), Long.BYTES);
    }

    @Override
    public void pull(ServedRank replica, ServedShard served) {
        throw new MessageRefused(
                "rank %d sent a pull to a server that only aggregates and has no weights"
                        .formatted(replica.rank()));
    }

    @Override
    public void answerAll(List<ServedRank> replicas, ServedShard served) {
        if (codec == null) {
            answerAll(replicas, served, Payload.plain(served.shard().bytes()), served.weights());
            return;
        }
        MemorySegment buffer = Objects.requireNonNull(buffers.get(served.shard().index()));
        Frame frame = codec.encode(served.weights(), UNUSED, buffer);
        answerAll(replicas, served, Payload.of(frame), buffer);
    }

    private static void answerAll(
            List<ServedRank> replicas, ServedShard served, Payload payload, MemorySegment memory) {
        for (ServedRank replica : replicas) {
            replica.answer(served, payload, memory);
        }
    }
}
