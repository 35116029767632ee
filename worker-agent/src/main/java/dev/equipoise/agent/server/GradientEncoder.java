package dev.equipoise.agent.server;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.codec.Chance;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.ErrorFeedback;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.codec.Residual;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Codes the gradients of one shard at a worker, round by round. */
final class GradientEncoder {

    private final Codec codec;
    private final Coding coding;
    private final int rank;
    private final MemorySegment room;
    private final @Nullable ErrorFeedback feedback;
    private @Nullable Residual residual;
    private long rounds;

    /** Sets memory for a frame aside, and for what is left out, if it is kept. */
    GradientEncoder(Codec codec, Coding coding, int rank, Shard shard, Arena memory) {
        int elements = Math.toIntExact(shard.elements());
        this.codec = codec;
        this.coding = coding;
        this.rank = rank;
        this.room = memory.allocate(codec.largestPayload(elements), Long.BYTES);
        this.feedback =
                coding.errorFeedback() ? new ErrorFeedback(codec, coding.seed(), rank) : null;
        this.residual = coding.errorFeedback() ? Residual.zero(elements, memory) : null;
    }

    void remembered(Remembered remembered) {
        remembered.number(() -> rounds, it -> rounds = it);
        Residual begun = residual;
        if (begun != null) {
            remembered.residual(begun.vector());
            remembered.number(this::residualRound, it -> residual = begun.at(it));
        }
    }

    private long residualRound() {
        return residual == null ? 0 : residual.round();
    }

    /** How many rounds there were; the chance of the last one has the number before. */
    long rounds() {
        return rounds;
    }

    /** Where the payload of the last frame is. */
    MemorySegment room() {
        return room;
    }

    /** A frame that is good until the next call. */
    Frame encode(MemorySegment gradient) {
        long round = rounds++;
        if (feedback == null || residual == null) {
            return codec.encode(gradient, new Chance(coding.seed(), rank, round), room);
        }
        ErrorFeedback.Encoded encoded = feedback.encode(residual, gradient, room);
        residual = encoded.next();
        return encoded.frame();
    }

    /** What error feedback remembers; empty without. */
    Optional<Residual> residual() {
        return Optional.ofNullable(residual);
    }
}
