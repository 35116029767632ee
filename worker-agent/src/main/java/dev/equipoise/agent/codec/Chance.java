package dev.equipoise.agent.codec;

/*
 * The mixing function is that of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom
 * number generators, OOPSLA 2014).
 */

/**
 * Where a codec's randomness comes from, so that equal inputs give equal bits.
 *
 * @param seed of the run
 * @param rank of the sender
 * @param round in which the frame is made
 */
public record Chance(long seed, int rank, long round) {

    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    /** The same for all ranks: what they choose by it, they choose alike. */
    long shared() {
        return mix(mix(seed) + round * GOLDEN_GAMMA);
    }

    /** One for each rank, so that their rounding errors cancel out in a sum. */
    long own() {
        return mix(shared() + (rank + 1) * GOLDEN_GAMMA);
    }

    /** An integer in 0 .. bound - 1, the one of this number in the sequence of a key. */
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
