package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Random-k sparsification: sends elements that all ranks choose alike, in order and without their
 * indices, in 4 k bytes (docs/algorithms.md, section 6). One index is drawn from each of k
 * stretches, so the scale of an unbiased element is the length of its stretch, which is d / k
 * rounded up or down.
 */
final class RandomK implements Codec {

    static final int ID = 3;

    private final Fraction fraction;
    private final boolean unbiased;
    private final Block block = new Block(Kernels.fastest());

    RandomK(double fraction, boolean unbiased) {
        this.fraction = new Fraction(fraction);
        this.unbiased = unbiased;
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public boolean isLinear() {
        return true;
    }

    @Override
    public boolean isUnbiased() {
        return unbiased;
    }

    @Override
    public long largestPayload(int elements) {
        return (long) Float.BYTES * fraction.of(elements);
    }

    @Override
    public Frame encode(MemorySegment vector, CodecRandom random, MemorySegment buffer) {
        int elements = Block.elements(vector);
        // Check omitted elements too: a rank that has diverged must be detected at once.
        block.requireFinite(vector);
        MemorySegment payload = FrameChecks.buffer(buffer, largestPayload(elements));
        int count = fraction.of(elements);
        var sampler = new StratifiedSampler(elements, count, random.shared());
        for (int i = 0; i < count; i++) {
            float value = vector.get(JAVA_FLOAT_UNALIGNED, 4L * sampler.next());
            payload.set(Float32.LAYOUT, 4L * i, value);
        }
        return new Frame(ID, flags(), elements, payload);
    }

    @Override
    public void add(Frame frame, CodecRandom random, float factor, MemorySegment vector) {
        FrameChecks.require(frame, ID, vector);
        FrameChecks.requireFlags(frame, flags());
        FrameChecks.requireBytes(frame, largestPayload(frame.elements()));
        int count = fraction.of(frame.elements());
        var sampler = new StratifiedSampler(frame.elements(), count, random.shared());
        for (int i = 0; i < count; i++) {
            long offset = 4L * sampler.next();
            float scale = unbiased ? factor * sampler.length() : factor;
            float addend = scale * Float32.finite(frame.payload(), 4L * i);
            vector.set(
                    JAVA_FLOAT_UNALIGNED,
                    offset,
                    vector.get(JAVA_FLOAT_UNALIGNED, offset) + addend);
        }
    }

    private int flags() {
        return unbiased ? 1 : 0;
    }
}
