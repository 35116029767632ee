package dev.equipoise.agent.codec;

/*
 * The mixing function is that of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom
 * number generators, OOPSLA 2014).
 */

/**
 * The random source of a codec, which makes equal inputs give equal bits.
 *
 * @param seed of the run
 * @param rank of the sender
 * @param round in which the frame is encoded
 */
public record CodecRandom(long seed, int rank, long round) {

    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    /** Returns a key that all ranks share, so that they make equal choices. */
    long shared() {
        return mix(mix(seed) + round * GOLDEN_GAMMA);
    }

    /**
     * Returns a key of this rank alone, so that the rounding errors of the ranks cancel out in a
     * sum.
     */
    long own() {
        return mix(shared() + (rank + 1) * GOLDEN_GAMMA);
    }

    /** Returns the integer in 0 .. bound - 1 with this number in the sequence of a key. */
    static int below(int bound, long key, long number) {
        return (int)
                (((mix(key + number * GOLDEN_GAMMA) >>> Integer.SIZE) * bound) >>> Integer.SIZE);
    }

    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
