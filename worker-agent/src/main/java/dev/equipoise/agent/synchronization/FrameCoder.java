package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.CodecRandom;
import dev.equipoise.agent.codec.ErrorFeedback;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.codec.Residual;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Codec of one rank with its state: the round, and the residual under error feedback. */
final class FrameCoder {

    private final Codec codec;
    private final long seed;
    private final int rank;
    private final @Nullable ErrorFeedback feedback;
    private @Nullable Residual residual;
    private long round;

    /**
     * @param hasErrorFeedback whether the codec has error feedback
     * @param seed of the run, equal on all ranks
     * @param memory holds the residual; must outlive this
     */
    FrameCoder(
            Codec codec,
            boolean hasErrorFeedback,
            long seed,
            int rank,
            int elements,
            Arena memory) {
        this.codec = codec;
        this.seed = seed;
        this.rank = rank;
        this.feedback = hasErrorFeedback ? new ErrorFeedback(codec, seed, rank) : null;
        this.residual = hasErrorFeedback ? Residual.zero(elements, memory) : null;
    }

    /** Registers the state of the codec. */
    FrameCoder register(RankStateRegistry registry) {
        registry.number(() -> round, it -> round = it);
        Residual initial = residual;
        if (initial != null) {
            registry.residual(initial.vector());
            registry.number(this::residualRound, it -> residual = initial.at(it));
        }
        return this;
    }

    private long residualRound() {
        return residual == null ? 0 : residual.round();
    }

    Codec codec() {
        return codec;
    }

    /**
     * Encodes a new round's frame; the vector stays unchanged.
     *
     * @param gradientScale factor by which the vector holds a gradient of the replica's own loss
     */
    Frame encode(MemorySegment vector, double gradientScale, MemorySegment buffer) {
        round++;
        if (feedback == null || residual == null) {
            return codec.encode(vector, gradientScale, random(rank), buffer);
        }
        ErrorFeedback.Encoded encoded = feedback.encode(residual, vector, gradientScale, buffer);
        residual = encoded.next();
        return encoded.frame();
    }

    /** Decodes a rank's frame of this round, and adds it to a vector, times a factor. */
    void add(Frame frame, int sender, double factor, MemorySegment vector) {
        codec.add(frame, random(sender), (float) factor, vector);
    }

    /** Returns the random source of a rank in this round; error feedback counts rounds from 0. */
    CodecRandom random(int sender) {
        return new CodecRandom(seed, sender, round - 1);
    }
}
