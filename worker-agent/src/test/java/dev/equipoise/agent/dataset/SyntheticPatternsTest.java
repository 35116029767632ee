package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.DatasetSpec.Synthetic;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SyntheticPatternsTest {

    /** Compares with values of an implementation in another language. */
    @Test
    void areEqualOnEveryMachine() {
        DatasetSplit split = SyntheticPatterns.of(new Synthetic(List.of(2), 3, 10, 7, 10), 10);
        Minibatch first = TestingDatasets.read(split.training(), 0, 1);

        assertThat(first.labels()).containsExactly(1, 2);
        assertThat(first.values().toArray(JAVA_FLOAT))
                .containsExactly(0x1.4cf69p-1f, 0x1.81c8c8p-1f, 0x1.62c3dap-2f, 0x1.5b548cp-2f);
    }

    @Test
    void haveATestSetThatDoesNotDependOnTheLimit() {
        var spec = new Synthetic(List.of(4, 4, 1), 3, 100, 7, 100);
        Dataset all = SyntheticPatterns.of(spec, 100).test();
        Dataset few = SyntheticPatterns.of(spec, 5).test();

        assertThat(all.size()).isEqualTo(20);
        assertThat(values(few)).isEqualTo(values(all));
    }

    /** The mean of the training samples of each class is near the test samples of that class. */
    @Test
    void canBeLearned() {
        DatasetSplit split =
                SyntheticPatterns.of(new Synthetic(List.of(64), 10, 1000, 1, 1000), 1000);
        float[][] means = means(split.training(), 10, 64);
        Minibatch tests = whole(split.test());

        long hits =
                IntStream.range(0, tests.size())
                        .filter(i -> nearest(means, sample(tests, i, 64)) == tests.labels()[i])
                        .count();

        assertThat(hits).isGreaterThan(190).isLessThanOrEqualTo(200);
    }

    private static float[][] means(Dataset dataset, int classes, int length) {
        Minibatch samples = whole(dataset);
        float[][] sums = new float[classes][length];
        int[] counts = new int[classes];
        for (int i = 0; i < samples.size(); i++) {
            int label = samples.labels()[i];
            counts[label]++;
            float[] sample = sample(samples, i, length);
            for (int j = 0; j < length; j++) {
                sums[label][j] += sample[j];
            }
        }
        for (int label = 0; label < classes; label++) {
            for (int j = 0; j < length; j++) {
                sums[label][j] /= counts[label];
            }
        }
        return sums;
    }

    private static int nearest(float[][] means, float[] sample) {
        return IntStream.range(0, means.length)
                .boxed()
                .min((a, b) ->
                        Double.compare(distance(means[a], sample), distance(means[b], sample)))
                .orElseThrow();
    }

    private static double distance(float[] a, float[] b) {
        return IntStream.range(0, a.length).mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i])).sum();
    }

    private static float[] sample(Minibatch samples, int index, int length) {
        float[] values = samples.values().toArray(JAVA_FLOAT);
        return Arrays.copyOfRange(values, index * length, (index + 1) * length);
    }

    private static float[] values(Dataset dataset) {
        return whole(dataset).values().toArray(JAVA_FLOAT);
    }

    private static Minibatch whole(Dataset dataset) {
        return TestingDatasets.read(dataset, IntStream.range(0, dataset.size()).toArray());
    }
}
