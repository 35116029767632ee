package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Elements that all ranks choose alike, in order, without their indices: 4 k bytes. As an index is
 * drawn from each of k stretches, scaling is by the length of its stretch, which is d / k or one of
 * the integers next to it.
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
    public Frame encode(MemorySegment vector, Chance chance, MemorySegment room) {
        int elements = Block.elements(vector);
        // Also of what is not sent: a rank that has diverged is to be found out at once.
        block.requireFinite(vector);
        MemorySegment payload = Agreement.room(room, largestPayload(elements));
        int count = fraction.of(elements);
        var strata = new Strata(elements, count, chance.shared());
        for (int i = 0; i < count; i++) {
            float value = vector.get(JAVA_FLOAT_UNALIGNED, 4L * strata.next());
            payload.set(Float32.LAYOUT, 4L * i, value);
        }
        return new Frame(ID, flags(), elements, payload);
    }

    @Override
    public void add(Frame frame, Chance chance, float factor, MemorySegment vector) {
        Agreement.require(frame, this, vector);
        Agreement.requireFlags(frame, flags());
        Agreement.requireBytes(frame, largestPayload(frame.elements()));
        int count = fraction.of(frame.elements());
        var strata = new Strata(frame.elements(), count, chance.shared());
        for (int i = 0; i < count; i++) {
            long place = 4L * strata.next();
            float scale = unbiased ? factor * strata.length() : factor;
            float addend = scale * Float32.finite(frame.payload(), 4L * i);
            vector.set(
                    JAVA_FLOAT_UNALIGNED, place, vector.get(JAVA_FLOAT_UNALIGNED, place) + addend);
        }
    }

    private int flags() {
        return unbiased ? 1 : 0;
    }
}
