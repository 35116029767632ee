package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Image;
import java.lang.foreign.Arena;
import java.util.SplittableRandom;

/** Small random data sets that can be learned. */
public final class TestingDatasets {

    private TestingDatasets() {}

    /** Returns one pattern for each class, with noise of half its strength. */
    public static DatasetSplit noisyPatterns(
            Shape shape, int classes, int training, int test, long seed) {
        var random = new SplittableRandom(seed);
        byte[] patterns = bytes(random, classes * shape.size(), 128);
        return DatasetSplit.of(
                noisy((Image) shape, classes, training, patterns, random),
                noisy((Image) shape, classes, test, patterns, random));
    }

    /** Returns copies of one sample, whose gradients are all the same. */
    public static DatasetSplit copies(Shape shape, int classes, int training, int test, long seed) {
        byte[] pattern = bytes(new SplittableRandom(seed), shape.size(), 128);
        return DatasetSplit.of(
                copies((Image) shape, classes, training, pattern),
                copies((Image) shape, classes, test, pattern));
    }

    private static Dataset copies(Image shape, int classes, int size, byte[] pattern) {
        byte[] images = new byte[size * pattern.length];
        for (int i = 0; i < images.length; i++) {
            images[i] = pattern[i % pattern.length];
        }
        return ByteImages.of(shape, classes, images, new byte[size], 255, new Normalization.Unit());
    }

    private static Dataset noisy(
            Image shape, int classes, int size, byte[] patterns, SplittableRandom random) {
        byte[] labels = bytes(random, size, classes);
        byte[] images = bytes(random, size * shape.size(), 64);
        for (int i = 0; i < images.length; i++) {
            int pixel = i % shape.size();
            images[i] += patterns[labels[i / shape.size()] * shape.size() + pixel];
        }
        return ByteImages.of(shape, classes, images, labels, 255, new Normalization.Unit());
    }

    /** Returns sequences in which a word is mostly followed by the same word. */
    public static DatasetSplit sequences(
            int vocabulary, int length, int training, int test, long seed) {
        var random = new SplittableRandom(seed);
        return DatasetSplit.of(
                new WordSequences(text(random, vocabulary, training * length), length),
                new WordSequences(text(random, vocabulary, test * length), length));
    }

    /** Returns windows of the same text. */
    public static DatasetSplit windows(
            int vocabulary, int length, int training, int test, long seed) {
        var random = new SplittableRandom(seed);
        return DatasetSplit.of(
                new WordWindows(text(random, vocabulary, training), length),
                new WordWindows(text(random, vocabulary, test), length));
    }

    private static TokenizedText text(SplittableRandom random, int vocabulary, int labels) {
        int[] words = new int[labels + 1];
        words[0] = TokenizedText.BORDER;
        for (int i = 1; i < words.length; i++) {
            words[i] =
                    random.nextInt(10) == 0
                            ? random.nextInt(vocabulary)
                            : (words[i - 1] * 3 + 2) % vocabulary;
        }
        return new TokenizedText(words, vocabulary);
    }

    private static byte[] bytes(SplittableRandom random, int length, int bound) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(bound);
        }
        return bytes;
    }

    /** Returns samples of a data set as a mini-batch. */
    static Minibatch read(Dataset dataset, int... samples) {
        var minibatch =
                new Minibatch(dataset.shape(), dataset.positions(), samples.length, Arena.ofAuto());
        dataset.read(samples, 0, samples.length, minibatch);
        return minibatch;
    }
}
