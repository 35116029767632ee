package dev.equipoise.agent.server;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.CodecRandom;
import dev.equipoise.agent.codec.ErrorFeedback;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.codec.Residual;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Encodes the gradients of one shard on a replica, round by round. */
final class GradientEncoder {

    private final Codec codec;
    private final GradientCoding coding;
    private final int rank;
    private final MemorySegment buffer;
    private final @Nullable ErrorFeedback feedback;
    private @Nullable Residual residual;
    private long rounds;

    /** Allocates memory for a frame, and for the residual if error feedback is on. */
    GradientEncoder(Codec codec, GradientCoding coding, int rank, Shard shard, Arena memory) {
        int elements = Math.toIntExact(shard.elements());
        this.codec = codec;
        this.coding = coding;
        this.rank = rank;
        this.buffer = memory.allocate(codec.largestPayload(elements), Long.BYTES);
        this.feedback =
                coding.errorFeedback() ? new ErrorFeedback(codec, coding.seed(), rank) : null;
        this.residual = coding.errorFeedback() ? Residual.zero(elements, memory) : null;
    }

    void register(RankStateRegistry registry) {
        registry.number(() -> rounds, it -> rounds = it);
        Residual initial = residual;
        if (initial != null) {
            registry.residual(initial.vector());
            registry.number(this::residualRound, it -> residual = initial.at(it));
        }
    }

    private long residualRound() {
        return residual == null ? 0 : residual.round();
    }

    /** Number of rounds so far; the random source of the last one has this number minus 1. */
    long rounds() {
        return rounds;
    }

    /** The buffer with the payload of the last frame. */
    MemorySegment buffer() {
        return buffer;
    }

    /**
     * Encodes a gradient to a frame that is valid until the next call.
     *
     * @param gradientScale factor by which the vector holds the gradient
     */
    Frame encode(MemorySegment gradient, double gradientScale) {
        long round = rounds++;
        if (feedback == null || residual == null) {
            return codec.encode(
                    gradient, gradientScale, new CodecRandom(coding.seed(), rank, round), buffer);
        }
        ErrorFeedback.Encoded encoded = feedback.encode(residual, gradient, gradientScale, buffer);
        residual = encoded.next();
        return encoded.frame();
    }

    /** The residual; empty without error feedback. */
    Optional<Residual> residual() {
        return Optional.ofNullable(residual);
    }
}
