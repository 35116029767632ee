package dev.equipoise.agent.codec;

/*
 * Karimireddy, Rebjock, Stich and Jaggi, Error feedback fixes SignSGD and other gradient compression
 * schemes, ICML 2019, algorithm 2, with the learning rate applied to the decoded vector alone:
 *
 *   p = g + e,   q = C(p),   e = p - decode(q)
 *
 * so that after any number of rounds the sum of what was decoded, plus e, is the sum of the gradients.
 * The residual's memory holds p in between, and decoding subtracts from it where it stands.
 */

import java.lang.foreign.MemorySegment;

/**
 * Adds to each vector what its codec left out of the vectors before. What it remembers is in the
 * residual that it is handed; only one thread uses it at a time.
 */
public final class ErrorFeedback {

    private final Codec codec;
    private final long seed;
    private final int rank;
    private final Block block;
    private final Block scratch;

    /**
     * Wraps a codec.
     *
     * @param seed of the run, the same on all ranks
     * @throws IllegalArgumentException if the codec is scaled random-k, under which the residual
     *     would grow without bound
     */
    public ErrorFeedback(Codec codec, long seed, int rank) {
        if (codec instanceof RandomK && codec.isUnbiased()) {
            // By a factor of n, an element becomes 1 - n times what it was, and so on.
            throw new IllegalArgumentException(
                    "random-k must not be scaled under error feedback, but is");
        }
        this.codec = codec;
        this.seed = seed;
        this.rank = rank;
        Kernels kernels = Kernels.fastest();
        this.block = new Block(kernels);
        this.scratch = new Block(kernels);
    }

    /**
     * What is sent, and with which memory to go on.
     *
     * @param chance that decoding asks for
     */
    public record Encoded(Frame frame, Chance chance, Residual next) {}

    /**
     * Codes a gradient, which is only read, and overwrites the residual, which is used up.
     *
     * @param room for the payload, as large as the codec says
     * @throws IllegalArgumentException if the residual has another length, or an element of the
     *     gradient or of its sum with the residual is not finite; the residual is then spoilt
     */
    public Encoded encode(Residual residual, MemorySegment gradient, MemorySegment room) {
        MemorySegment sum = residual.vector();
        requireSameLength(gradient, sum);
        block.addFinite(gradient, sum, scratch);
        Chance chance = new Chance(seed, rank, residual.round());
        Frame frame = codec.encode(sum, chance, room);
        codec.add(frame, chance, -1, sum);
        return new Encoded(frame, chance, residual.next());
    }

    private static void requireSameLength(MemorySegment gradient, MemorySegment residual) {
        if (gradient.byteSize() != residual.byteSize()) {
            throw new IllegalArgumentException(
                    "the gradient must be as long as the residual, %d bytes, but has %d"
                            .formatted(residual.byteSize(), gradient.byteSize()));
        }
    }
}
