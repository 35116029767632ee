package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.codec.Chance;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.FrameCorrupt;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A shard in the hands of its server. */
final class Holding {

    private final Shard shard;
    private final long place;
    private final @Nullable Codec codec;
    private final MemorySegment weights;
    private long version;

    /**
     * @param place of the shard among those of its server, in bytes
     * @param codec of its gradients; null if they travel as they are
     */
    Holding(
            Shard shard,
            long place,
            @Nullable Codec codec,
            MemorySegment initialVector,
            Arena memory) {
        this.shard = shard;
        this.place = place;
        this.codec = codec;
        this.weights = memory.allocate(JAVA_FLOAT, shard.elements());
        MemorySegment.copy(initialVector, shard.offset(), weights, 0, shard.bytes());
    }

    Shard shard() {
        return shard;
    }

    long place() {
        return place;
    }

    MemorySegment weights() {
        return weights;
    }

    /** How often the weights have changed. */
    long version() {
        return version;
    }

    /** The bytes that a coded gradient may need; 0 if it travels as it is. */
    long largestFrame() {
        return codec == null ? 0 : codec.largestPayload(Math.toIntExact(shard.elements()));
    }

    /** Whether a push can bring a gradient of this shard, by what it says of it. */
    boolean takes(Message push) {
        return push.version() >= 0
                && push.version() <= version
                && push.payload().fits(shard, codec);
    }

    /**
     * Decodes the gradient of a coded push that {@link #takes} has been asked about.
     *
     * @param room where the frame has come
     */
    void decode(int rank, Message push, long seed, MemorySegment room, MemorySegment gradient) {
        if (codec == null) {
            throw new IllegalStateException("gradients of %s are not coded".formatted(shard));
        }
        try {
            codec.decode(
                    push.payload().frame(room), new Chance(seed, rank, push.number()), gradient);
        } catch (FrameCorrupt e) {
            throw new MessageRefused(rank, push, e);
        }
    }

    /** Returns false, and leaves weights and version alone, if the gradient was dropped. */
    boolean apply(Update update, MemorySegment gradient, long staleness) {
        boolean applied = update.apply(shard, weights, gradient, staleness);
        version += applied ? 1 : 0;
        return applied;
    }
}
