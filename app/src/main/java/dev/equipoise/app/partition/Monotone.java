package dev.equipoise.app.partition;

import java.util.Arrays;

/** Isotonic regression by pooling adjacent violators (Barlow et al., 1972), with equal weights. */
final class Monotone {

    private Monotone() {}

    /** The nearest sequence, in least squares, that never falls. */
    static double[] pooled(double[] values) {
        double[] means = new double[values.length];
        int[] counts = new int[values.length];
        int blocks = 0;
        for (double value : values) {
            means[blocks] = value;
            counts[blocks] = 1;
            blocks++;
            while (blocks > 1 && means[blocks - 2] > means[blocks - 1]) {
                int count = counts[blocks - 2] + counts[blocks - 1];
                means[blocks - 2] =
                        (means[blocks - 2] * counts[blocks - 2]
                                        + means[blocks - 1] * counts[blocks - 1])
                                / count;
                counts[blocks - 2] = count;
                blocks--;
            }
        }
        double[] pooled = new double[values.length];
        int at = 0;
        for (int block = 0; block < blocks; block++) {
            Arrays.fill(pooled, at, at + counts[block], means[block]);
            at += counts[block];
        }
        return pooled;
    }
}
