package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Tanh;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private static final Architecture PERCEPTRON =
            new Architecture(
                    "perceptron",
                    new Shape.Vector(200),
                    List.of(new Dense(300), new Relu(), new Dense(3)));
    private static final Objective OBJECTIVE = Objective.meanCrossEntropy(3);
    private static final Backend BACKEND = Backends.load();

    @Test
    void vectorsStartOnCacheLines() {
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            assertThat(network.parameters().address() % 64).isZero();
            assertThat(network.gradient().address() % 64).isZero();
        }
    }

    @Test
    void usesParametersThatOthersWrite() {
        Minibatch minibatch = Samples.noise(PERCEPTRON, 5, 1);
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            assertThat(network.parameters().byteSize()).isEqualTo(4L * network.parameterCount());
            assertThat(network.gradient().byteSize()).isEqualTo(4L * network.parameterCount());
            assertThat(network.gradient(minibatch)).isCloseTo(Math.log(3), within(1e-6));

            // The last bias affects the score of class 2 alone.
            network.parameters().setAtIndex(JAVA_FLOAT, network.parameterCount() - 1, 100);
            for (int i = 0; i < 5; i++) {
                minibatch.label(i, 0, i < 2 ? 2 : 0);
            }

            assertThat(network.score(minibatch).correct()).isEqualTo(2);
            assertThat(network.gradient(minibatch)).isCloseTo(60, within(1e-3));
        }
    }

    /** Everything from the offset on is as at the end of the backward pass. */
    @Test
    void listenerIsCalledForEachCompletedLayer() {
        Minibatch minibatch = Samples.noise(PERCEPTRON, 5, 1);
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            network.initialize(3);
            MemorySegment gradient = network.gradient();
            double _ = network.gradient(minibatch);
            float[] expected = gradient.toArray(JAVA_FLOAT);
            gradient.fill((byte) 0);
            List<Long> offsets = new ArrayList<>();
            double _ =
                    network.gradient(
                            minibatch,
                            () -> {},
                            offset -> {
                                offsets.add(offset);
                                int first = (int) (offset / Float.BYTES);
                                assertThat(gradient.asSlice(offset).toArray(JAVA_FLOAT))
                                        .isEqualTo(
                                                Arrays.copyOfRange(
                                                        expected, first, expected.length));
                            });

            assertThat(offsets).containsExactly(4L * (200 + 1) * 300, 0L);
        }
    }

    @Test
    void listenerIsCalledForAnEmptyMiniBatch() {
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            List<Long> offsets = new ArrayList<>();
            double _ = network.gradient(Samples.noise(PERCEPTRON, 0, 1), () -> {}, offsets::add);

            assertThat(offsets).containsExactly(0L);
        }
    }

    @Test
    void drawsTheSameBitsFromTheSameSeed() {
        try (Network one = Network.of(PERCEPTRON, OBJECTIVE, BACKEND);
                Network other = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            one.initialize(7);
            other.initialize(8);
            assertThat(one.parameters().mismatch(other.parameters())).isNotEqualTo(-1);

            other.initialize(7);
            assertThat(one.parameters().mismatch(other.parameters())).isEqualTo(-1);
        }
    }

    @Test
    void drawsEqualBitsOnEveryMachine() {
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            network.initialize(7);
            MemorySegment drawn = network.parameters();

            // Value of an implementation in another language.
            assertThat(drawn.getAtIndex(JAVA_INT, 0)).isEqualTo(0x3dcbc750);
            assertThat(drawn.getAtIndex(JAVA_INT, 59_999)).isEqualTo(0x3d898ade);
        }
    }

    @Test
    void drawsWeightsWithTheVarianceOfTheirLayer() {
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            network.initialize(9);
            double[] drawn = Samples.doubles(network.parameters());

            // The relative deviation of an estimated variance is sqrt(2 / n): 0.6 % here.
            assertThat(meanSquare(drawn, 0, 60_000)).isCloseTo(2.0 / 200, within(2.5e-4));
            assertThat(meanSquare(drawn, 60_000, 60_300)).isZero();
            assertThat(meanSquare(drawn, 60_300, 61_200)).isCloseTo(2.0 / 303, within(1.2e-3));
        }
    }

    /** Glorot and Bengio 2010: each input value reaches 25 positions of a 5x5 filter. */
    @Test
    void drawsFiltersWithTheVarianceOfTheirFanInAndFanOut() {
        var architecture =
                new Architecture(
                        "filters",
                        new Shape.Image(8, 8, 16),
                        List.of(new Convolution(64, 5, 1, 0), new Tanh(), new Flatten()));
        try (Network network =
                Network.of(architecture, Objective.meanCrossEntropy(1024), BACKEND)) {
            network.initialize(9);
            double[] drawn = Samples.doubles(network.parameters());

            double expected = 2.0 / (25 * 16 + 25 * 64);
            assertThat(meanSquare(drawn, 0, 25 * 16 * 64)).isCloseTo(expected, within(2e-5));
        }
    }

    @Test
    void returnsTheBlockOfEachLayer() {
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            assertThat(network.blocks())
                    .containsExactly(
                            new ParameterBlock(0, 0, 200, 300, 300),
                            new ParameterBlock(2, 60_300, 300, 3, 3));
        }
    }

    @Test
    void countsTheSamplesWhoseClassScoresHighest() {
        Minibatch minibatch = Samples.noise(PERCEPTRON, 40, 2);
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            network.initialize(3);
            long hits = 0;
            for (int label = 0; label < 3; label++) {
                for (int i = 0; i < 40; i++) {
                    minibatch.label(i, 0, label);
                }
                hits += network.score(minibatch).correct();
            }
            assertThat(hits).isEqualTo(40);
            assertThat(network.score(Samples.noise(PERCEPTRON, 0, 1))).isEqualTo(Score.NONE);
        }
    }

    @Test
    void rejectsSamplesOfAnotherShape() {
        Minibatch digits = Samples.noise(Preset.MNIST_CNN.architecture(), 1, 1);
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> network.gradient(digits))
                    .withMessage(
                            "network perceptron takes samples of a vector of 200, but was given"
                                    + " 28x28x1");
        }
    }

    @Test
    void rejectsALabelThatIsNoClass() {
        Minibatch minibatch = Samples.noise(PERCEPTRON, 1, 1);
        minibatch.label(0, 0, 3);
        try (Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND)) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> network.gradient(minibatch));
        }
    }

    @Test
    void freesItsMemoryWhenClosed() {
        Network network = Network.of(PERCEPTRON, OBJECTIVE, BACKEND);
        MemorySegment parameters = network.parameters();
        network.gradient(Samples.noise(PERCEPTRON, 2, 1));

        network.close();

        assertThatIllegalStateException().isThrownBy(() -> parameters.get(JAVA_FLOAT, 0));
    }

    private static double meanSquare(double[] values, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += values[i] * values[i];
        }
        return sum / (to - from);
    }
}
