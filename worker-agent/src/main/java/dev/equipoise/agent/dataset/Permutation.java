package dev.equipoise.agent.dataset;

import java.util.SplittableRandom;

/** Permutation of the samples of an epoch: each rank computes the same one, on any host. */
public final class Permutation {
    private Permutation() {}

    /**
     * Shuffles by Fisher and Yates in Durstenfeld's form, on the bits of SplitMix64
     * (docs/algorithms.md, section 1.2).
     */
    public static int[] of(long seed, int epoch, int n) {
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            order[i] = i;
        }
        SplittableRandom random = generator(seed, epoch);
        for (int i = n - 1; i > 0; i--) {
            int j = below(random, i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        return order;
    }

    /**
     * Mixes the seed before it adds the epoch, so that (1, 2) and (2, 1) give unrelated streams.
     */
    private static SplittableRandom generator(long seed, int epoch) {
        return new SplittableRandom(new SplittableRandom(seed).nextLong() + epoch);
    }

    /**
     * Draws from 0 to n - 1 by Lemire's product without the rejection, whose bias of n in 2^64
     * draws is negligible.
     */
    static int below(SplittableRandom random, int n) {
        return (int) Math.unsignedMultiplyHigh(random.nextLong(), n);
    }
}
