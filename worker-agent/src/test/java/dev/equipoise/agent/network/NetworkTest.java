package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.network.Layer.Dense;
import dev.equipoise.agent.network.Layer.Relu;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private static final Architecture PERCEPTRON =
            new Architecture(
                    "perceptron",
                    Shape.vector(200),
                    List.of(new Dense(300), new Relu(), new Dense(3)));

    @Test
    void computesWithWhatIsWrittenIntoItsParameters() {
        Minibatch minibatch = Samples.noise(PERCEPTRON, 5, 1);
        try (Network network = Network.of(PERCEPTRON)) {
            assertThat(network.parameters().byteSize()).isEqualTo(4L * network.parameterCount());
            assertThat(network.gradient().byteSize()).isEqualTo(4L * network.parameterCount());
            assertThat(network.gradient(minibatch)).isCloseTo(Math.log(3), within(1e-6));

            // The last bias: the score of class 2 alone.
            network.parameters().setAtIndex(JAVA_FLOAT, network.parameterCount() - 1, 100);
            for (int i = 0; i < 5; i++) {
                minibatch.label(i, 0, i < 2 ? 2 : 0);
            }

            assertThat(network.correct(minibatch)).isEqualTo(2);
            assertThat(network.gradient(minibatch)).isCloseTo(60, within(1e-3));
        }
    }

    @Test
    void drawsTheSameBitsFromTheSameSeed() {
        try (Network one = Network.of(PERCEPTRON);
                Network other = Network.of(PERCEPTRON)) {
            one.initialise(7);
            other.initialise(8);
            assertThat(one.parameters().mismatch(other.parameters())).isNotEqualTo(-1);

            other.initialise(7);
            assertThat(one.parameters().mismatch(other.parameters())).isEqualTo(-1);
        }
    }

    @Test
    void drawsTheseBitsOnEveryMachine() {
        try (Network network = Network.of(PERCEPTRON)) {
            network.initialise(7);
            MemorySegment drawn = network.parameters();

            // As computed by an implementation in another language.
            assertThat(drawn.getAtIndex(JAVA_INT, 0)).isEqualTo(0x3dcbc750);
            assertThat(drawn.getAtIndex(JAVA_INT, 59_999)).isEqualTo(0x3d898ade);
        }
    }

    @Test
    void drawsWeightsWithTheVarianceThatTheirLayerNeeds() {
        try (Network network = Network.of(PERCEPTRON)) {
            network.initialise(9);
            double[] drawn = Samples.doubles(network.parameters());

            // The deviation of an estimated variance is sqrt(2 / n) of it: 0.6 % here.
            assertThat(meanSquare(drawn, 0, 60_000)).isCloseTo(2.0 / 200, within(2.5e-4));
            assertThat(meanSquare(drawn, 60_000, 60_300)).isZero();
            assertThat(meanSquare(drawn, 60_300, 61_200)).isCloseTo(2.0 / 303, within(1.2e-3));
        }
    }

    @Test
    void countsTheSamplesWhoseClassScoresHighest() {
        Minibatch minibatch = Samples.noise(PERCEPTRON, 40, 2);
        try (Network network = Network.of(PERCEPTRON)) {
            network.initialise(3);
            int hits = 0;
            for (int label = 0; label < 3; label++) {
                for (int i = 0; i < 40; i++) {
                    minibatch.label(i, 0, label);
                }
                hits += network.correct(minibatch);
            }
            assertThat(hits).isEqualTo(40);
            assertThat(network.correct(Samples.noise(PERCEPTRON, 0, 1))).isZero();
        }
    }

    @Test
    void refusesSamplesOfAnotherShape() {
        Minibatch digits = Samples.noise(Architecture.preset("mnist-cnn"), 1, 1);
        try (Network network = Network.of(PERCEPTRON)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> network.gradient(digits))
                    .withMessage(
                            "network perceptron takes samples of 1x1x200, but was given 28x28x1");
        }
    }

    @Test
    void refusesALabelThatIsNoClass() {
        Minibatch minibatch = Samples.noise(PERCEPTRON, 1, 1);
        minibatch.label(0, 0, 3);
        try (Network network = Network.of(PERCEPTRON)) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> network.gradient(minibatch));
        }
    }

    @Test
    void takesItsMemoryAwayWhenClosed() {
        Network network = Network.of(PERCEPTRON);
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
