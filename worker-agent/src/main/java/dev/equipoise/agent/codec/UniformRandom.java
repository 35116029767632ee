package dev.equipoise.agent.codec;

/*
 * A counter-based generator: the number at a position depends only on the key and the position, so
 * that a loop can compute many at once. The mixing function is that of C. Wellons' hash "lowbias32"
 * (Prospecting for hash functions, 2018), with half of the key added before each of its
 * multiplications, since the sequences of two keys would otherwise be shifted copies of each other.
 */

/** Generates uniform random numbers, multiples of 2^-24 in [0, 1). */
final class UniformRandom {

    static final int GOLDEN = 0x9e3779b9;
    static final int FIRST_SHIFT = 16;
    static final int FIRST_FACTOR = 0x7feb352d;
    static final int SECOND_SHIFT = 15;
    static final int SECOND_FACTOR = 0x846ca68b;
    static final int LAST_SHIFT = 16;
    static final int UNUSED_BITS = 8;
    static final float UNIT = 0x1p-24f;

    private UniformRandom() {}

    static float at(int position, int low, int high) {
        int bits = position * GOLDEN + low;
        bits = (bits ^ (bits >>> FIRST_SHIFT)) * FIRST_FACTOR + high;
        bits = (bits ^ (bits >>> SECOND_SHIFT)) * SECOND_FACTOR;
        bits ^= bits >>> LAST_SHIFT;
        return (bits >>> UNUSED_BITS) * UNIT;
    }

    static int low(long key) {
        return (int) key;
    }

    static int high(long key) {
        return (int) (key >>> Integer.SIZE);
    }
}
