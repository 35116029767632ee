package dev.equipoise.benchmarks.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.dataset.SampleDigest;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BigramTest {

    private static final int VOCABULARY = 5;

    /** Words 0 and 1 alternate; 2 follows once, 3 never, and nothing follows 4. */
    private static final Windows TEXT = new Windows(List.of(0, 1, 0, 1, 0, 1, 0, 2, 1, 3, 0, 4));

    private final Bigram bigram = Bigram.of(TEXT);

    @Test
    void probabilitiesAfterAWordSumToOne() {
        for (int first = 0; first < VOCABULARY; first++) {
            int given = first;
            double sum =
                    IntStream.range(0, VOCABULARY)
                            .mapToDouble(second -> bigram.probability(given, second))
                            .sum();
            assertThat(sum).as("after %d", first).isCloseTo(1, within(1e-12));
        }
    }

    @Test
    void seenPairIsMoreLikelyThanAnUnseenOne() {
        assertThat(bigram.probability(0, 1)).isGreaterThan(bigram.probability(0, 3));
        assertThat(bigram.probability(0, 3)).isPositive();
    }

    @Test
    void perplexityIsTheReciprocalOfTheGeometricMeanProbability() {
        double product = bigram.probability(0, 1) * bigram.probability(1, 4);

        assertThat(bigram.perplexity(new Windows(List.of(0, 1, 4))))
                .isCloseTo(1 / Math.sqrt(product), within(1e-12));
    }

    /** Data set of each word with the next one as its label. */
    private record Windows(List<Integer> words) implements Dataset {

        @Override
        public int size() {
            return words.size() - 1;
        }

        @Override
        public Shape shape() {
            return new Shape.Tokens(1, VOCABULARY);
        }

        @Override
        public int positions() {
            return 1;
        }

        @Override
        public int classes() {
            return VOCABULARY;
        }

        @Override
        public void addInputs(SampleDigest digest, int samples) {
            throw new UnsupportedOperationException("the words are not compared");
        }

        @Override
        public void addLabels(SampleDigest digest, int samples) {
            throw new UnsupportedOperationException("the words are not compared");
        }

        @Override
        public void read(int[] order, int from, int count, Minibatch into) {
            into.resize(count);
            for (int i = 0; i < count; i++) {
                into.token(i, 0, words.get(order[from + i]));
                into.label(i, 0, words.get(order[from + i] + 1));
            }
        }
    }
}
