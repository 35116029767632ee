package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Top-k sparsification: sends the k = ceil(fraction d) elements of the largest magnitude; among
 * equal ones, the first (docs/algorithms.md, section 6).
 */
final class TopK implements Codec {

    static final int ID = 2;

    private final Fraction fraction;
    private final KthLargest kthLargest;
    private final Sparse sparse;

    TopK(double fraction) {
        this(fraction, Kernels.fastest());
    }

    TopK(double fraction, Kernels kernels) {
        this.fraction = new Fraction(fraction);
        this.kthLargest = new KthLargest(kernels);
        this.sparse = new Sparse(kernels);
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public long largestPayload(int elements) {
        return Sparse.largestPayload(elements, fraction.of(elements));
    }

    @Override
    public Frame encode(MemorySegment vector, CodecRandom random, MemorySegment buffer) {
        int k = fraction.of(Block.elements(vector));
        MagnitudeThreshold threshold =
                k == 0 ? MagnitudeThreshold.above(0) : kthLargest.largest(k, vector);
        return Objects.requireNonNull(sparse.encode(ID, vector, threshold, k, buffer));
    }

    @Override
    public void add(Frame frame, CodecRandom random, float factor, MemorySegment vector) {
        FrameChecks.require(frame, ID, vector);
        sparse.add(frame, factor, vector);
    }
}
