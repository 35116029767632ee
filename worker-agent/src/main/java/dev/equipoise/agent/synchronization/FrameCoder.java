package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.codec.Chance;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.ErrorFeedback;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.codec.Residual;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One rank's codec, round after round, with what it has left out so far, if that is to be sent
 * later.
 */
final class FrameCoder {

    private final Codec codec;
    private final long seed;
    private final int rank;
    private final @Nullable ErrorFeedback feedback;
    private @Nullable Residual residual;
    private long round;

    /**
     * @param keeps whether what a frame leaves out is sent later
     * @param seed of the run, the same on all ranks
     * @param memory of the residual; must outlive it
     */
    FrameCoder(Codec codec, boolean keeps, long seed, int rank, int elements, Arena memory) {
        this.codec = codec;
        this.seed = seed;
        this.rank = rank;
        this.feedback = keeps ? new ErrorFeedback(codec, seed, rank) : null;
        this.residual = keeps ? Residual.zero(elements, memory) : null;
    }

    /** Enters what it goes on with where another has stopped. */
    FrameCoder remembered(Remembered remembered) {
        remembered.number(() -> round, it -> round = it);
        Residual begun = residual;
        if (begun != null) {
            remembered.residual(begun.vector());
            remembered.number(this::residualRound, it -> residual = begun.at(it));
        }
        return this;
    }

    private long residualRound() {
        return residual == null ? 0 : residual.round();
    }

    Codec codec() {
        return codec;
    }

    /** A new round's frame; the vector is left as it is. */
    Frame encode(MemorySegment vector, MemorySegment room) {
        round++;
        if (feedback == null || residual == null) {
            return codec.encode(vector, chance(rank), room);
        }
        ErrorFeedback.Encoded encoded = feedback.encode(residual, vector, room);
        residual = encoded.next();
        return encoded.frame();
    }

    /** Adds what a rank's frame of this round says, times a factor, to a vector. */
    void add(Frame frame, int sender, double factor, MemorySegment vector) {
        codec.add(frame, chance(sender), (float) factor, vector);
    }

    /** As error feedback counts its rounds: from 0. */
    Chance chance(int sender) {
        return new Chance(seed, sender, round - 1);
    }
}
