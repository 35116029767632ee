package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Architecture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The real data, from wherever this machine has it or gets it. */
class MnistIT {

    @Test
    void isWhatWasPublished() {
        DatasetSplit mnist =
                new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv())).load("mnist");

        assertThat(mnist.training().size()).isEqualTo(60_000);
        assertThat(mnist.test().size()).isEqualTo(10_000);
        assertThat(IntStream.range(0, 5).map(mnist.training()::label))
                .containsExactly(5, 0, 4, 1, 9);
        assertThat(mnist.training().shape()).isEqualTo(Architecture.preset("mnist-cnn").input());
        assertThat(sumOfPixels(mnist.training())).isEqualTo(1_567_298_545L);
        assertThat(sumOfPixels(mnist.test())).isEqualTo(264_923_200L);
    }

    private static long sumOfPixels(Dataset dataset) {
        int[] order = IntStream.range(0, dataset.size()).toArray();
        Minibatch minibatch = new Minibatch(dataset.shape(), 1000);
        long sum = 0;
        for (int from = 0; from < order.length; from += 1000) {
            dataset.read(order, from, 1000, minibatch);
            for (int i = 0; i < 1000 * dataset.shape().size(); i++) {
                sum += Math.round(255 * minibatch.images().getAtIndex(JAVA_FLOAT, i));
            }
        }
        return sum;
    }
}
