package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Threshold sparsification: sends the elements above a threshold in magnitude (docs/algorithms.md,
 * section 6). An adaptive threshold for a fraction is estimated from a stratified sample: one
 * element out of each 100, but at least 4096 if there are as many, and at most 65,536, which is
 * enough for an error of at most 4 % at a fraction of 1 %. If more than twice the fraction exceeds
 * it, as it does if many magnitudes are equal, exactly the fraction is sent; among equal ones, the
 * first. A frame therefore has a bound, and the codec needs no state from round to round, unlike a
 * controller of the threshold.
 */
final class Threshold implements Codec {

    static final int ID = 1;

    private static final int ELEMENTS_PER_SAMPLE = 100;
    private static final int MIN_SAMPLES = 1 << 12;
    private static final int MAX_SAMPLES = 1 << 16;
    private static final long MAX_EXCESS = 2;

    private final ThresholdRule rule;
    private final KthLargest kthLargest;
    private final Sparse sparse;
    private MemorySegment sample = MemorySegment.NULL;

    Threshold(ThresholdRule rule) {
        this(rule, Kernels.fastest());
    }

    Threshold(ThresholdRule rule, Kernels kernels) {
        this.rule = rule;
        this.kthLargest = new KthLargest(kernels);
        this.sparse = new Sparse(kernels);
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public long largestPayload(int elements) {
        return Sparse.largestPayload(elements, limit(elements));
    }

    private int limit(int elements) {
        return switch (rule) {
            case ThresholdRule.Fixed _ -> elements;
            case ThresholdRule.Sampled(Fraction fraction) ->
                    Math.toIntExact(Math.min(elements, MAX_EXCESS * fraction.of(elements)));
        };
    }

    @Override
    public Frame encode(MemorySegment vector, CodecRandom random, MemorySegment buffer) {
        return encode(vector, 1, random, buffer);
    }

    @Override
    public Frame encode(
            MemorySegment vector, double gradientScale, CodecRandom random, MemorySegment buffer) {
        return switch (rule) {
            case ThresholdRule.Fixed fixed -> encode(vector, fixed.scaledBy(gradientScale), buffer);
            case ThresholdRule.Sampled(Fraction fraction) ->
                    encode(fraction, vector, random.own(), buffer);
        };
    }

    private Frame encode(Fraction fraction, MemorySegment vector, long key, MemorySegment buffer) {
        int elements = Block.elements(vector);
        MagnitudeThreshold estimate = estimate(fraction, sample(vector, key));
        Frame frame = sparse.encode(ID, vector, estimate, limit(elements), buffer);
        // There are so many nonzero elements that no zero is among the largest ones.
        return frame == null
                ? encode(vector, kthLargest.largest(fraction.of(elements), vector), buffer)
                : frame;
    }

    /** Encodes with a threshold that at most {@code limit} elements exceed. */
    private Frame encode(MemorySegment vector, MagnitudeThreshold threshold, MemorySegment buffer) {
        int limit = limit(Block.elements(vector));
        return Objects.requireNonNull(sparse.encode(ID, vector, threshold, limit, buffer));
    }

    private MagnitudeThreshold estimate(Fraction fraction, MemorySegment sampled) {
        int elements = Block.elements(sampled);
        return elements == 0
                ? MagnitudeThreshold.above(0)
                : kthLargest.largest(fraction.of(elements), sampled).withAllTies();
    }

    /**
     * Returns a sample of the vector, as a view that the next call overwrites. Elements that are
     * not finite count as 0 here: the pass over the whole vector rejects them and knows their
     * index.
     */
    private MemorySegment sample(MemorySegment vector, long key) {
        int elements = Block.elements(vector);
        int size =
                Math.min(
                        elements,
                        Math.clamp(elements / ELEMENTS_PER_SAMPLE, MIN_SAMPLES, MAX_SAMPLES));
        if (sample.byteSize() < JAVA_FLOAT.scale(0, size)) {
            sample = Arena.ofAuto().allocate(JAVA_FLOAT, size);
        }
        var sampler = new StratifiedSampler(elements, size, key);
        for (int i = 0; i < size; i++) {
            float value = vector.get(JAVA_FLOAT_UNALIGNED, JAVA_FLOAT.scale(0, sampler.next()));
            sample.setAtIndex(JAVA_FLOAT, i, Float.isFinite(value) ? value : 0);
        }
        return sample.asSlice(0, JAVA_FLOAT.scale(0, size));
    }

    @Override
    public void add(Frame frame, CodecRandom random, float factor, MemorySegment vector) {
        FrameChecks.require(frame, ID, vector);
        sparse.add(frame, factor, vector);
    }
}
