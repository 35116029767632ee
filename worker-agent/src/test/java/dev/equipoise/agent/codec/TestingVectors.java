package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

/** Vectors to be encoded; they begin four bytes off any cache line. */
final class TestingVectors {

    private TestingVectors() {}

    static MemorySegment of(float... values) {
        MemorySegment vector = Arena.ofAuto().allocate(4L * values.length + 4, 64).asSlice(4);
        return vector.copyFrom(MemorySegment.ofArray(values));
    }

    static MemorySegment zeros(int length) {
        return of(new float[length]);
    }

    static MemorySegment of(int length, IntToDoubleFunction element) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) element.applyAsDouble(i);
        }
        return of(values);
    }

    /** Returns elements of both signs and many magnitudes, with some zeros. */
    static MemorySegment random(int length, long seed) {
        var random = new SplittableRandom(seed);
        return of(
                length,
                _ ->
                        random.nextInt(10) == 0
                                ? 0
                                : random.nextGaussian() * Math.pow(2, random.nextInt(-10, 10)));
    }

    /** Returns small integers, whose sums are exact, and many of which are equal. */
    static MemorySegment integers(int length, long seed) {
        var random = new SplittableRandom(seed);
        return of(length, _ -> random.nextInt(-9, 10));
    }

    static float[] floats(MemorySegment vector) {
        return vector.toArray(JAVA_FLOAT_UNALIGNED);
    }

    /** Returns a payload buffer of exactly the size that the codec requires, unaligned. */
    static MemorySegment buffer(Codec codec, int elements) {
        return Arena.ofAuto().allocate(codec.largestPayload(elements) + 1, 64).asSlice(1);
    }

    static MemorySegment decoded(Codec codec, Frame frame, CodecRandom chance) {
        MemorySegment vector = of(frame.elements(), _ -> Float.NaN);
        codec.decode(frame, chance, vector);
        return vector;
    }

    static Frame withPayload(Frame frame, byte[] payload) {
        MemorySegment buffer = Arena.ofAuto().allocate(payload.length + 1L, 1).asSlice(1);
        return new Frame(
                frame.codec(),
                frame.flags(),
                frame.elements(),
                buffer.copyFrom(MemorySegment.ofArray(payload)));
    }

    static float get(MemorySegment vector, int index) {
        return vector.get(JAVA_FLOAT_UNALIGNED, JAVA_FLOAT.scale(0, index));
    }
}
