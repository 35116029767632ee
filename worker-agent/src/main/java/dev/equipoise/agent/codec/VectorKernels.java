package dev.equipoise.agent.codec;

import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NEG;
import static jdk.incubator.vector.VectorOperators.XOR;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * The implementation on the Vector API. The just-in-time compiler vectorizes neither comparisons
 * that end in bits, nor sums of floats, whose order it must keep. Products are not fused with sums,
 * as in plain Java.
 */
final class VectorKernels implements Kernels {

    /**
     * Vectors of at most {@code LANES} elements, so that the lanes keep their order whatever the
     * width of the processor.
     */
    private static final VectorSpecies<Float> FLOATS =
            FloatVector.SPECIES_PREFERRED.length() > LANES
                    ? FloatVector.SPECIES_512
                    : FloatVector.SPECIES_PREFERRED;

    private static final VectorSpecies<Integer> INTS = FLOATS.withLanes(int.class);
    private static final int WIDTH = FLOATS.length();

    private static final long LOWEST = (1L << WIDTH) - 1;

    private final float[] lanes = new float[LANES];

    @Override
    public boolean areFinite(float[] values, int length) {
        FloatVector largest = FloatVector.zero(FLOATS);
        for (int i = 0; i < length; i += WIDTH) {
            // The maximum of NaN and any number is NaN.
            largest = largest.max(FloatVector.fromArray(FLOATS, values, i).abs());
        }
        return largest.compare(LT, Float.POSITIVE_INFINITY).allTrue();
    }

    @Override
    public double sumOfMagnitudes(float[] values, int length) {
        for (int lane = 0; lane < LANES; lane += WIDTH) {
            FloatVector sum = FloatVector.zero(FLOATS);
            for (int i = lane; i < length; i += LANES) {
                sum = sum.add(FloatVector.fromArray(FLOATS, values, i).abs());
            }
            sum.intoArray(lanes, lane);
        }
        return sumOfLanes();
    }

    @Override
    public double dot(float[] left, float[] right, int length) {
        for (int lane = 0; lane < LANES; lane += WIDTH) {
            FloatVector sum = FloatVector.zero(FLOATS);
            for (int i = lane; i < length; i += LANES) {
                FloatVector factor = FloatVector.fromArray(FLOATS, left, i);
                sum = sum.add(factor.mul(FloatVector.fromArray(FLOATS, right, i)));
            }
            sum.intoArray(lanes, lane);
        }
        return sumOfLanes();
    }

    private double sumOfLanes() {
        double total = 0;
        for (float lane : lanes) {
            total += lane;
        }
        return total;
    }

    @Override
    public void markAbove(
            float[] values, int length, float threshold, long[] words, int firstWord) {
        for (int from = 0; from < length; from += STRIDE) {
            long word = 0;
            for (int i = 0; i < STRIDE; i += WIDTH) {
                FloatVector magnitude = FloatVector.fromArray(FLOATS, values, from + i).abs();
                word |= magnitude.compare(GT, threshold).toLong() << i;
            }
            words[firstWord + from / STRIDE] = word;
        }
    }

    @Override
    public int compress(float[] values, int length, long[] words, int firstWord, float[] target) {
        int count = 0;
        for (int from = 0; from < length; from += STRIDE) {
            long word = words[firstWord + from / STRIDE];
            if (word != 0) {
                count = compress(values, from, word, target, count);
            }
        }
        return count;
    }

    private static int compress(float[] values, int from, long word, float[] target, int before) {
        int count = before;
        for (int i = 0; i < STRIDE; i += WIDTH) {
            long bits = word >>> i & LOWEST;
            FloatVector value = FloatVector.fromArray(FLOATS, values, from + i);
            value.compress(VectorMask.fromLong(FLOATS, bits)).intoArray(target, count);
            count += Long.bitCount(bits);
        }
        return count;
    }

    @Override
    public void markNegative(float[] values, int length, long[] words, int firstWord) {
        for (int from = 0; from < length; from += STRIDE) {
            long word = 0;
            for (int i = 0; i < STRIDE; i += WIDTH) {
                FloatVector value = FloatVector.fromArray(FLOATS, values, from + i);
                word |= value.compare(LT, 0).toLong() << i;
            }
            words[firstWord + from / STRIDE] = word;
        }
    }

    @Override
    public void spreadSigns(long[] words, float magnitude, float[] values, int length) {
        FloatVector positive = FloatVector.broadcast(FLOATS, magnitude);
        FloatVector negative = positive.neg();
        for (int i = 0; i < length; i += WIDTH) {
            VectorMask<Float> isNegative = VectorMask.fromLong(FLOATS, words[i / STRIDE] >>> i);
            positive.blend(negative, isNegative).intoArray(values, i);
        }
        Arrays.fill(values, length, Math.ceilDiv(length, STRIDE) * STRIDE, 0);
    }

    /**
     * Rounds to the level below or above by {@link UniformRandom#at}, for all positions at once. No
     * vector crosses a call of our own: a method that the compiler does not inline allocates its
     * vectors, and whether it inlines depends on what it compiled first.
     */
    @Override
    public void quantize(
            float[] values, int length, float scale, int levels, long key, int first, int[] codes) {
        IntVector positions = IntVector.zero(INTS).addIndex(1).add(first);
        int low = UniformRandom.low(key);
        int high = UniformRandom.high(key);
        for (int i = 0; i < length; i += WIDTH) {
            IntVector bits = positions.add(i).mul(UniformRandom.GOLDEN).add(low);
            bits = bits.lanewise(XOR, bits.lanewise(LSHR, UniformRandom.FIRST_SHIFT));
            bits = bits.mul(UniformRandom.FIRST_FACTOR).add(high);
            bits = bits.lanewise(XOR, bits.lanewise(LSHR, UniformRandom.SECOND_SHIFT));
            bits = bits.mul(UniformRandom.SECOND_FACTOR);
            bits = bits.lanewise(XOR, bits.lanewise(LSHR, UniformRandom.LAST_SHIFT));
            bits = bits.lanewise(LSHR, UniformRandom.UNUSED_BITS);
            FloatVector uniform = ((FloatVector) bits.convert(I2F, 0)).mul(UniformRandom.UNIT);

            FloatVector value = FloatVector.fromArray(FLOATS, values, i);
            FloatVector scaled = value.abs().mul(scale);
            IntVector below = (IntVector) scaled.convert(F2I, 0);
            FloatVector rest = scaled.sub((FloatVector) below.convert(I2F, 0));
            IntVector level = below.add(1, uniform.compare(LT, rest).cast(INTS)).min(levels);
            VectorMask<Integer> isNegative = value.compare(LT, 0).cast(INTS);
            level.lanewise(NEG, isNegative).add(levels).intoArray(codes, i);
        }
    }
}
