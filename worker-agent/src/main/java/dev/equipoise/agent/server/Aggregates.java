package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Chance;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The aggregate of a round, which stands where other servers have the weights; coded where the
 * gradients are, once for all workers.
 */
final class Aggregates implements Answers {

    /** Replaces the last aggregate. */
    static final Update REPLACEMENT =
            (_, last, aggregate, _) -> {
                last.copyFrom(aggregate);
                return true;
            };

    /** The codec draws nothing. */
    private static final Chance NONE = new Chance(0, 0, 0);

    private final @Nullable Codec codec;
    private final Map<Integer, MemorySegment> rooms;

    /**
     * Sets memory for the frames aside.
     *
     * @param codec null to send the aggregate as it is
     * @param shards of the server
     */
    Aggregates(@Nullable Codec codec, List<Shard> shards, Arena memory) {
        this.codec = codec;
        this.rooms =
                codec == null
                        ? Map.of()
                        : shards.stream()
                                .collect(
                                        Collectors.toUnmodifiableMap(
                                                Shard::index, it -> room(codec, it, memory)));
    }

    private static MemorySegment room(Codec codec, Shard shard, Arena memory) {
        return memory.allocate(codec.largestPayload(Math.toIntExact(shard.elements())), Long.BYTES);
    }

    @Override
    public void pull(Worker worker, Holding holding) {
        throw new MessageRefused(
                "rank %d asked servers that only aggregate for values".formatted(worker.rank()));
    }

    @Override
    public void answerAll(List<Worker> workers, Holding holding) {
        if (codec == null) {
            answerAll(workers, holding, Payload.plain(holding.shard().bytes()), holding.weights());
            return;
        }
        MemorySegment room = Objects.requireNonNull(rooms.get(holding.shard().index()));
        Frame frame = codec.encode(holding.weights(), NONE, room);
        answerAll(workers, holding, Payload.of(frame), room);
    }

    private static void answerAll(
            List<Worker> workers, Holding holding, Payload payload, MemorySegment memory) {
        for (Worker worker : workers) {
            worker.answer(holding, payload, memory);
        }
    }
}
