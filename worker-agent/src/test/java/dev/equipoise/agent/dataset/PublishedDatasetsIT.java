package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedDatasets;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown.View;
import dev.equipoise.testing.Night;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests the real data, from any source that this host has. The gate takes only MNIST, on which the
 * agents of other modules train, into the cache that they share; the nightly build tries all sets.
 * Sets from a package registry must be available; a test of another set is skipped, with the
 * attempts as the reason, if neither a copy nor its public home can be reached.
 */
class PublishedDatasetsIT {
    private static final Logger log = LoggerFactory.getLogger(PublishedDatasetsIT.class);
    private static final Normalization UNIT = new Normalization.Unit();
    private static final String NETWORK = "needs npm, Debian's archive or the set's public home";

    private final DatasetRegistry registry =
            new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv()));

    @Test
    void mnistEqualsThePublishedSet() {
        DatasetSplit mnist = load(new PublishedSpec.Mnist(UNIT, 60_000));

        assertThat(mnist.training().size()).isEqualTo(60_000);
        assertThat(mnist.test().size()).isEqualTo(10_000);
        assertThat(firstLabels(mnist.training(), 5)).containsExactly(5, 0, 4, 1, 9);
        assertThat(sum(mnist.training(), 255)).isEqualTo(1_567_298_545L);
        assertThat(sum(mnist.test(), 255)).isEqualTo(264_923_200L);
    }

    @Test
    @Night(NETWORK)
    void fashionMnistEqualsThePublishedSet() {
        DatasetSplit fashion = load(new PublishedSpec.FashionMnist(UNIT, 60_000));

        assertThat(fashion.training().size()).isEqualTo(60_000);
        assertThat(fashion.test().size()).isEqualTo(10_000);
        assertThat(firstLabels(fashion.training(), 5)).containsExactly(9, 0, 0, 3, 0);
        assertThat(mean(fashion.training())).isBetween(0.2855, 0.2865);
    }

    @Test
    @Night(NETWORK)
    void cifar10HasInterleavedChannels() {
        DatasetSplit cifar = loadOrSkip(new PublishedSpec.Cifar10(UNIT, 20_000));
        float[] first = TestingDatasets.read(cifar.training(), 0).values().toArray(JAVA_FLOAT);

        assertThat(cifar.training().size()).isEqualTo(20_000);
        assertThat(cifar.test().size()).isEqualTo(10_000);
        assertThat(firstLabels(cifar.training(), 6)).containsExactly(6, 9, 9, 4, 1, 1);
        assertThat(firstLabels(cifar.test(), 6)).containsExactly(3, 8, 8, 0, 6, 6);
        assertThat(first).startsWith(59 / 255f, 62 / 255f);
        assertThat(first[3]).isEqualTo(43 / 255f);
        assertThat(sum(cifar.test(), 255))
                .isEqualTo(1_290_492_328L + 1_266_775_083 + 1_176_108_223);
    }

    @Test
    @Night(NETWORK)
    void cifar100HasItsFineLabels() {
        DatasetSplit cifar = loadOrSkip(new PublishedSpec.Cifar100(UNIT, 50_000));

        assertThat(cifar.training().size()).isEqualTo(50_000);
        assertThat(cifar.test().size()).isEqualTo(10_000);
        assertThat(Arrays.stream(firstLabels(cifar.training(), 50_000)).max()).hasValue(99);
    }

    @Test
    @Night(NETWORK)
    void optdigitsEqualsThePublishedSet() {
        DatasetSplit digits = loadOrSkip(new PublishedSpec.Optdigits(UNIT, 3823));

        assertThat(digits.training().size()).isEqualTo(3823);
        assertThat(digits.test().size()).isEqualTo(1797);
        assertThat(firstLabels(digits.training(), 8)).containsExactly(0, 0, 7, 4, 6, 2, 5, 5);
        assertThat(sum(digits.training(), 16)).isEqualTo(1_204_758);
        assertThat(sum(digits.test(), 16)).isEqualTo(561_718);
    }

    @Test
    @Night(NETWORK)
    void nettalkIsSplitByWords() {
        var spec = new PublishedSpec.Nettalk(PublishedDatasets.NETTALK.trainingSamples());
        DatasetSplit nettalk = loadOrSkip(spec);

        assertThat(nettalk.training().size()).isEqualTo(spec.trainingSamples());
        assertThat(nettalk.test().size()).isEqualTo(PublishedDatasets.NETTALK.testSamples());
        assertThat(nettalk.training().shape()).isEqualTo(spec.input());
        assertThat(nettalk.training().classes()).isEqualTo(spec.classes());
        assertThat(nettalk.targets().classes()).isEqualTo(spec.classes());
        assertThat(nettalk.targets().units()).isEqualTo(spec.targetUnits());
        assertThat(sum(nettalk.training(), 1)).isEqualTo(7L * spec.trainingSamples());
        assertThat(sum(nettalk.test(), 1)).isEqualTo(7L * nettalk.test().size());
    }

    @Test
    @Night(NETWORK)
    void brownHasItsWordsAndSentences() {
        DatasetSplit windows = load(new Brown(View.WINDOWS, 10_000, 4, Brown.TRAINING_WORDS));
        DatasetSplit sequences = load(new Brown(View.SEQUENCES, 10_000, 20, 46_414));

        assertThat(windows.training().size()).isEqualTo(Brown.TRAINING_WORDS);
        assertThat(windows.test().size()).isEqualTo(Brown.TEST_WORDS);
        assertThat(Brown.TRAINING_WORDS + Brown.TEST_WORDS).isEqualTo(1_161_192 + 57_340);
        assertThat(sequences.training().size()).isEqualTo(Brown.TRAINING_WORDS / 20);
        assertThat(count(windows.training(), TokenizedText.BORDER)).isEqualTo(40_000);
        assertThat(count(windows.test(), TokenizedText.BORDER)).isEqualTo(17_340);
        assertThat(count(windows.training(), 9999)).isPositive();
    }

    @Test
    @Night(NETWORK)
    void largestVocabularyHasEveryTrainingWord() {
        DatasetSplit brown =
                load(new Brown(View.WINDOWS, Brown.MAX_VOCABULARY, 4, Brown.TRAINING_WORDS));

        assertThat(count(brown.training(), TokenizedText.UNKNOWN)).isZero();
        assertThat(count(brown.training(), Brown.MAX_VOCABULARY - 1)).isOne();
        assertThat(count(brown.test(), TokenizedText.UNKNOWN)).isPositive();
    }

    private DatasetSplit load(DatasetSpec spec) {
        long begun = System.nanoTime();
        DatasetSplit split = registry.load(spec, spec.limit());
        log.info("{} in {} ms", spec, (System.nanoTime() - begun) / 1_000_000);
        return split;
    }

    private DatasetSplit loadOrSkip(DatasetSpec spec) {
        try {
            return load(spec);
        } catch (DatasetUnavailable e) {
            return Assumptions.abort(String.valueOf(e.getMessage()));
        }
    }

    private static int[] firstLabels(Dataset dataset, int count) {
        return TestingDatasets.read(dataset, IntStream.range(0, count).toArray()).labels();
    }

    private static long count(Dataset dataset, int label) {
        return Arrays.stream(firstLabels(dataset, dataset.size()))
                .filter(found -> found == label)
                .count();
    }

    /** Returns the sum of all values, each a multiple of 1 / unit. */
    private static long sum(Dataset dataset, int unit) {
        int[] order = IntStream.range(0, dataset.size()).toArray();
        Minibatch minibatch = new Minibatch(dataset.shape(), 1, 1000, Arena.ofAuto());
        long sum = 0;
        for (int from = 0; from < order.length; from += 1000) {
            int count = Math.min(1000, order.length - from);
            dataset.read(order, from, count, minibatch);
            for (int i = 0; i < count * dataset.shape().size(); i++) {
                sum += Math.round(unit * minibatch.values().getAtIndex(JAVA_FLOAT, i));
            }
        }
        return sum;
    }

    private static double mean(Dataset dataset) {
        return sum(dataset, 255) / 255. / dataset.size() / dataset.shape().size();
    }
}
