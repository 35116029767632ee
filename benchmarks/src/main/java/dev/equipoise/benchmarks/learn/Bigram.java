package dev.equipoise.benchmarks.learn;

import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.network.Minibatch;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Interpolated Kneser-Ney bigram model (Chen and Goodman 1999, section 2.7): discounted counts,
 * with the discounted mass spread in proportion to the number of different words that a word
 * follows.
 */
final class Bigram {
    private static final int BATCH = 1000;

    private final int vocabulary;
    private final Map<Long, Integer> pairs = new HashMap<>();
    private final int[] firsts;
    private final int[] followers;
    private final int[] predecessors;
    private final double discount;

    private Bigram(Dataset windows) {
        this.vocabulary = windows.classes();
        this.firsts = new int[vocabulary];
        this.followers = new int[vocabulary];
        this.predecessors = new int[vocabulary];
        forEach(windows, this::count);
        double once = pairs.values().stream().filter(count -> count == 1).count();
        double twice = pairs.values().stream().filter(count -> count == 2).count();
        this.discount = once / (once + 2 * twice);
    }

    private void count(int first, int second) {
        firsts[first]++;
        if (pairs.merge(key(first, second), 1, Integer::sum) == 1) {
            followers[first]++;
            predecessors[second]++;
        }
    }

    /** Creates the model from the last word of each window and its label. */
    static Bigram of(Dataset windows) {
        return new Bigram(windows);
    }

    double perplexity(Dataset windows) {
        double[] sum = {0};
        forEach(windows, (first, second) -> sum[0] -= Math.log(probability(first, second)));
        return Math.exp(sum[0] / windows.size());
    }

    double probability(int first, int second) {
        // Adding one to every count gives a share to words that follow nothing, too.
        double novel = (predecessors[second] + 1.0) / (pairs.size() + vocabulary);
        if (firsts[first] == 0) {
            return novel;
        }
        double seen = Math.max(pairs.getOrDefault(key(first, second), 0) - discount, 0);
        return (seen + discount * followers[first] * novel) / firsts[first];
    }

    private static void forEach(Dataset windows, Pair visitor) {
        var minibatch = new Minibatch(windows.shape(), 1, BATCH, Arena.ofAuto());
        int[] order = IntStream.range(0, windows.size()).toArray();
        int last = windows.shape().size() - 1;
        for (int from = 0; from < order.length; from += BATCH) {
            int count = Math.min(BATCH, order.length - from);
            windows.read(order, from, count, minibatch);
            for (int i = 0; i < count; i++) {
                visitor.of(minibatch.tokens()[last * count + i], minibatch.labels()[i]);
            }
        }
    }

    private long key(int first, int second) {
        return (long) first * vocabulary + second;
    }

    @FunctionalInterface
    private interface Pair {
        void of(int first, int second);
    }
}
