package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.DatasetSpec.Synthetic;
import java.util.SplittableRandom;

/**
 * Synthetic samples: one random pattern for each class, mixed half and half with noise. Sums and
 * products of floats from the bits of SplitMix64 give the same samples on every host.
 */
final class SyntheticPatterns {
    private static final int TRAINING_SAMPLES_PER_TEST_SAMPLE = 5;
    private static final int DROPPED_BITS = 40;
    private static final float UNIT = 0x1p-24f;

    private final Synthetic spec;
    private final float[] patterns;

    private SyntheticPatterns(Synthetic spec, SplittableRandom random) {
        this.spec = spec;
        this.patterns = new float[spec.classes() * spec.input().size()];
        for (int i = 0; i < patterns.length; i++) {
            patterns[i] = uniform(random);
        }
    }

    /**
     * Makes a split whose test set is a fifth of the training set, but has at least one sample for
     * each class.
     */
    static DatasetSplit of(Synthetic spec, int samples) {
        SplittableRandom seeds = new SplittableRandom(spec.seed());
        var patterns = new SyntheticPatterns(spec, new SplittableRandom(seeds.nextLong()));
        int testSamples =
                Math.max(spec.classes(), spec.samples() / TRAINING_SAMPLES_PER_TEST_SAMPLE);
        return DatasetSplit.of(
                patterns.draw(samples, new SplittableRandom(seeds.nextLong())),
                patterns.draw(testSamples, new SplittableRandom(seeds.nextLong())));
    }

    private Dataset draw(int samples, SplittableRandom random) {
        int length = spec.input().size();
        float[] values = new float[samples * length];
        int[] labels = new int[samples];
        for (int sample = 0; sample < samples; sample++) {
            labels[sample] = Permutation.below(random, spec.classes());
            for (int i = 0; i < length; i++) {
                float pattern = patterns[labels[sample] * length + i];
                values[sample * length + i] = (pattern + uniform(random)) / 2;
            }
        }
        return FloatRows.of(spec.input(), spec.classes(), values, labels);
    }

    private static float uniform(SplittableRandom random) {
        return (random.nextLong() >>> DROPPED_BITS) * UNIT;
    }
}
