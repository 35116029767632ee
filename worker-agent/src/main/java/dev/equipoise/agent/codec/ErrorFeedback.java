package dev.equipoise.agent.codec;

/*
 * Karimireddy, Rebjock, Stich and Jaggi, Error feedback fixes SignSGD and other gradient compression
 * schemes, ICML 2019, algorithm 2, with the learning rate applied to the decoded vector alone:
 *
 *   p = g + e,   q = C(p),   e = p - decode(q)
 *
 * so that after any number of rounds the sum of what was decoded, plus e, is the sum of the gradients.
 * The residual's memory holds p in between, and decoding subtracts from it where it stands.
 *
 * Their lemma 3 wants a contraction, E ||C(p) - p||^2 <= (1 - delta) ||p||^2 with delta above 0, and
 * then bounds the residual: E ||e||^2 <= 4 (1 - delta) / delta^2 max ||g||^2. Where C leaves out more
 * than it is given, what is left grows from round to round. Scaled random-k does: it makes of an
 * element 1 - n times what it was. So may QSGD, unless the bound of its own lemma 3.1 (Qsgd),
 * min(q / s^2, sqrt(q) / s), is below 1, that is, unless q < s^2. (A rounding to one of two integers
 * has a variance of at most 1/4, so that 4 s^2 would do; with a quarter of it the residual is in the
 * mean no longer than the gradient.) A fixed threshold is no contraction, but leaves out no more of an
 * element than itself.
 */

import java.lang.foreign.MemorySegment;
import java.util.Optional;

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
     * @throws IllegalArgumentException if the residual could grow without bound: under scaled
     *     random-k, and under QSGD of s levels whose buckets have s^2 elements or more
     */
    public ErrorFeedback(Codec codec, long seed, int rank) {
        refusal(codec)
                .ifPresent(rule -> {
                    throw new IllegalArgumentException(rule);
                });
        this.codec = codec;
        this.seed = seed;
        this.rank = rank;
        Kernels kernels = Kernels.fastest();
        this.block = new Block(kernels);
        this.scratch = new Block(kernels);
    }

    /** Why the residual could grow without bound; empty if it cannot. */
    static Optional<String> refusal(Codec codec) {
        return switch (codec) {
            case RandomK randomK when randomK.isUnbiased() ->
                    Optional.of("random-k must not be scaled under error feedback, but is");
            case Qsgd qsgd when qsgd.bucket() >= qsgd.levels() * qsgd.levels() ->
                    Optional.of(
                            "under error feedback a bucket must have fewer elements than its levels"
                                    + " squared, %d, but has %d"
                                            .formatted(
                                                    qsgd.levels() * qsgd.levels(), qsgd.bucket()));
            case Threshold _, TopK _, RandomK _, Qsgd _, Sign _, SampledRows _ -> Optional.empty();
        };
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

    /**
     * Takes back a frame that nobody has used, as when its exchange has failed: nothing is lost,
     * and what it said travels with the next gradient, or with zeros in its place.
     *
     * @param encoded what {@link #encode} returned last for this residual, whose vector and room
     *     have not been written since
     * @return a residual of the same round, in the same memory, that holds the sum of gradient and
     *     residual, up to the rounding of codecs that round
     */
    public Residual undo(Encoded encoded) {
        Residual left = encoded.next();
        codec.add(encoded.frame(), encoded.chance(), 1, left.vector());
        return new Residual(encoded.chance().round(), left.vector());
    }

    private static void requireSameLength(MemorySegment gradient, MemorySegment residual) {
        if (gradient.byteSize() != residual.byteSize()) {
            throw new IllegalArgumentException(
                    "the gradient must be as long as the residual, %d bytes, but has %d"
                            .formatted(residual.byteSize(), gradient.byteSize()));
        }
    }
}
