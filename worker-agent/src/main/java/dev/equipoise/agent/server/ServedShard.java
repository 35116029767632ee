package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.CodecRandom;
import dev.equipoise.agent.codec.FrameCorrupt;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A shard at the server that owns it. */
final class ServedShard {

    private final Shard shard;
    private final long slot;
    private final @Nullable Codec codec;
    private final MemorySegment weights;
    private long version;

    /**
     * @param slot offset of the shard among the shards of its server, in bytes
     * @param codec of its gradients; null if they are sent uncompressed
     */
    ServedShard(
            Shard shard,
            long slot,
            @Nullable Codec codec,
            MemorySegment initialVector,
            Arena memory) {
        this.shard = shard;
        this.slot = slot;
        this.codec = codec;
        this.weights = memory.allocate(JAVA_FLOAT, shard.elements());
        MemorySegment.copy(initialVector, shard.offset(), weights, 0, shard.bytes());
    }

    Shard shard() {
        return shard;
    }

    long slot() {
        return slot;
    }

    MemorySegment weights() {
        return weights;
    }

    /** The version: how often the weights have changed. */
    long version() {
        return version;
    }

    /** The largest coded gradient, in bytes; 0 if gradients are sent uncompressed. */
    long largestFrame() {
        return codec == null ? 0 : codec.largestPayload(Math.toIntExact(shard.elements()));
    }

    /** Returns whether the header of a push fits this shard. */
    boolean accepts(Message push) {
        return push.version() >= 0
                && push.version() <= version
                && push.payload().fits(shard, codec);
    }

    /**
     * Decodes the gradient of a coded push that {@link #accepts} has checked.
     *
     * @param buffer with the received frame
     */
    void decode(int rank, Message push, long seed, MemorySegment buffer, MemorySegment gradient) {
        if (codec == null) {
            throw new IllegalStateException(
                    "gradients of %s are not coded, so no frame can be decoded".formatted(shard));
        }
        try {
            codec.decode(
                    push.payload().frame(buffer),
                    new CodecRandom(seed, rank, push.number()),
                    gradient);
        } catch (FrameCorrupt e) {
            throw new MessageRefused(rank, push, e);
        }
    }

    /** Applies a gradient; returns false, with weights and version unchanged, if it was dropped. */
    boolean apply(Update update, MemorySegment gradient, Arrival arrival) {
        boolean applied = update.apply(shard, weights, gradient, arrival);
        version += applied ? 1 : 0;
        return applied;
    }
}
