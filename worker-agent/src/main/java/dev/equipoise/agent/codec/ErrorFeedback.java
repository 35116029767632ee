package dev.equipoise.agent.codec;

/*
 * Karimireddy, Rebjock, Stich and Jaggi, Error feedback fixes SignSGD and other gradient
 * compression schemes, ICML 2019, algorithm 2, with the learning rate applied to the decoded vector
 * alone:
 *
 *   p = g + e,   q = C(p),   e = p - decode(q)
 *
 * so that after any number of rounds the sum of the decoded vectors plus e is the sum of the
 * gradients. The memory of the residual holds p in between, and decoding subtracts in place.
 *
 * Their lemma 3 requires a contraction, E ||C(p) - p||^2 <= (1 - delta) ||p||^2 with delta > 0, and
 * then bounds the residual: E ||e||^2 <= 4 (1 - delta) / delta^2 max ||g||^2. If the error of C is
 * longer than its input, the residual grows from round to round. With scaled random-k it is: the
 * residual of a sent element is 1 - n times the element. With QSGD it may be, unless the bound of
 * its own lemma 3.1 (Qsgd), min(q / s^2, sqrt(q) / s), is below 1, that is, unless q < s^2.
 * (Rounding to one of two integers has a variance of at most 1/4, so that q < 4 s^2 would suffice;
 * with a quarter of it the residual is on average no longer than the gradient.) A fixed threshold
 * is no contraction, but omits at most an element itself.
 */

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Error feedback: adds to each vector the error that its codec omitted from the vectors before
 * (docs/algorithms.md, section 6). All state is in the {@link Residual} that is passed in; only one
 * thread may use an instance at a time.
 */
public final class ErrorFeedback {

    private final Codec codec;
    private final long seed;
    private final int rank;
    private final Block block;
    private final Block scratch;

    /**
     * Adds error feedback to a codec.
     *
     * @param seed of the run, equal on all ranks
     * @throws IllegalArgumentException if the residual could grow without bound: for scaled
     *     random-k, and for QSGD with s levels whose buckets have s^2 elements or more
     */
    public ErrorFeedback(Codec codec, long seed, int rank) {
        violatedRule(codec)
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

    /**
     * Returns the rule that the codec violates, so that the residual could grow without bound;
     * empty if there is none.
     */
    static Optional<String> violatedRule(Codec codec) {
        return switch (codec) {
            case RandomK randomK when randomK.isUnbiased() ->
                    Optional.of(
                            "random-k must not be scaled under error feedback: the residual would"
                                    + " grow without bound");
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
     * An encoded gradient.
     *
     * @param frame to be sent
     * @param chance the random source for decoding
     * @param next the residual for the next round
     */
    public record Encoded(Frame frame, CodecRandom chance, Residual next) {}

    /**
     * Encodes a gradient, which is only read, plus the residual, which is overwritten and must not
     * be used anymore.
     *
     * @param buffer for the payload, of the size that the codec requires
     * @throws IllegalArgumentException if the residual has another length, or if an element of the
     *     gradient or of its sum with the residual is not finite; the residual is then invalid
     */
    public Encoded encode(Residual residual, MemorySegment gradient, MemorySegment buffer) {
        return encode(residual, gradient, 1, buffer);
    }

    /**
     * Encodes like {@link #encode(Residual, MemorySegment, MemorySegment)}, for a vector that holds
     * a gradient times a factor.
     *
     * @param gradientScale factor, for {@link Codec#encode(MemorySegment, double, CodecRandom,
     *     MemorySegment)}
     */
    public Encoded encode(
            Residual residual, MemorySegment gradient, double gradientScale, MemorySegment buffer) {
        MemorySegment sum = residual.vector();
        requireSameLength(gradient, sum);
        block.addFinite(gradient, sum, scratch);
        CodecRandom chance = new CodecRandom(seed, rank, residual.round());
        Frame frame = codec.encode(sum, gradientScale, chance, buffer);
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
