package dev.equipoise.agent.dataset;

import java.util.SplittableRandom;

/** The order of the samples in an epoch, which all ranks compute for themselves, on any machine. */
public final class Permutation {
    private Permutation() {}

    /** Fisher and Yates, in Durstenfeld's form, on the 64 bits of SplitMix64 alone. */
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

    /** The seed is mixed before the epoch is added: (1, 2) and (2, 1) have nothing in common. */
    private static SplittableRandom generator(long seed, int epoch) {
        return new SplittableRandom(new SplittableRandom(seed).nextLong() + epoch);
    }

    /**
     * Lemire's product without the rejection: n out of 2^64 draws are off, which nobody can see.
     */
    static int below(SplittableRandom random, int n) {
        return (int) Math.unsignedMultiplyHigh(random.nextLong(), n);
    }
}
