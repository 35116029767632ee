package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.network.Layer.Convolution;
import dev.equipoise.agent.network.Layer.Dense;
import dev.equipoise.agent.network.Layer.MaxPool;
import dev.equipoise.agent.network.Layer.Relu;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GradientTest {
    /** Float32 against double: about a hundred roundings of 6e-8 on values of the order of 1. */
    private static final double ROUNDING = 5e-6;

    private static final Architecture TINY =
            new Architecture(
                    "tiny",
                    new Shape(9, 11, 2),
                    List.of(
                            new Convolution(3, 2),
                            new Relu(),
                            new MaxPool(2),
                            new Convolution(5, 3),
                            new Relu(),
                            new Dense(7),
                            new Relu(),
                            new Dense(4)));

    static Stream<Architecture> architectures() {
        Shape vector = Shape.vector(12);
        return Stream.of(
                TINY,
                new Architecture(
                        "perceptron", vector, List.of(new Dense(8), new Relu(), new Dense(3))),
                new Architecture(
                        "pool-first",
                        new Shape(8, 8, 1),
                        List.of(new MaxPool(2), new Convolution(3, 3), new Dense(3))),
                new Architecture(
                        "convolution-last", new Shape(5, 5, 1), List.of(new Convolution(3, 5))),
                Architecture.preset("mnist-cnn"));
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void agreesWithTheOracle(Architecture architecture) {
        Minibatch minibatch = Samples.noise(architecture, 3, 1);
        try (Network network = Network.of(architecture)) {
            network.initialise(2);
            double loss = network.gradient(minibatch);

            ReferenceNetwork oracle =
                    new ReferenceNetwork(architecture, Samples.doubles(network.parameters()));
            assertThat(loss).isCloseTo(meanLoss(oracle, minibatch), within(ROUNDING));
            assertThat(
                            largestDifference(
                                    Samples.doubles(network.gradient()),
                                    meanGradient(oracle, minibatch)))
                    .isLessThan(ROUNDING);
        }
    }

    @Test
    void agreesWithFiniteDifferences() {
        // Small enough to stay on one side of the kinks; the differences are taken in double
        // precision.
        double h = 1e-7;
        Minibatch minibatch = Samples.noise(TINY, 4, 3);
        try (Network network = Network.of(TINY)) {
            network.initialise(4);
            network.gradient(minibatch);
            for (int i = 0; i < network.parameterCount(); i += 5) {
                double[] moved = Samples.doubles(network.parameters());
                moved[i] += h;
                double above = meanLoss(new ReferenceNetwork(TINY, moved), minibatch);
                moved[i] -= 2 * h;
                double below = meanLoss(new ReferenceNetwork(TINY, moved), minibatch);

                assertThat(network.gradient().getAtIndex(JAVA_FLOAT, i))
                        .as("parameter %d", i)
                        .isCloseTo((float) ((above - below) / (2 * h)), within((float) ROUNDING));
            }
        }
    }

    @Test
    void ofTheWholeIsTheWeightedMeanOfThoseOfTheParts() {
        Minibatch whole = Samples.noise(TINY, 8, 5);
        try (Network network = Network.of(TINY)) {
            network.initialise(6);
            network.gradient(whole);
            double[] expected = Samples.doubles(network.gradient());
            network.gradient(Samples.part(whole, 0, 3));
            double[] first = Samples.doubles(network.gradient());
            network.gradient(Samples.part(whole, 3, 5));
            double[] second = Samples.doubles(network.gradient());

            double[] mean = new double[expected.length];
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (3 * first[i] + 5 * second[i]) / 8;
            }
            assertThat(largestDifference(mean, expected)).isLessThan(1e-6);
        }
    }

    @Test
    void overwritesTheOneBefore() {
        Minibatch minibatch = Samples.noise(TINY, 4, 7);
        try (Network network = Network.of(TINY)) {
            network.initialise(8);
            double loss = network.gradient(minibatch);
            double[] first = Samples.doubles(network.gradient());
            network.gradient(Samples.noise(TINY, 4, 9));

            assertThat(network.gradient(minibatch)).isEqualTo(loss);
            assertThat(Samples.doubles(network.gradient())).containsExactly(first);
        }
    }

    @Test
    void ofNoSamplesIsZero() {
        try (Network network = Network.of(TINY)) {
            network.initialise(1);
            network.gradient(Samples.noise(TINY, 2, 1));

            assertThat(network.gradient(Samples.noise(TINY, 0, 1))).isZero();
            assertThat(Samples.doubles(network.gradient())).containsOnly(0.0);
        }
    }

    private static double largestDifference(double[] actual, double[] expected) {
        double largest = 0;
        for (int i = 0; i < expected.length; i++) {
            largest = Math.max(largest, Math.abs(actual[i] - expected[i]));
        }
        return largest;
    }

    private static double meanLoss(ReferenceNetwork oracle, Minibatch minibatch) {
        double sum = 0;
        for (int i = 0; i < minibatch.size(); i++) {
            sum += oracle.loss(Samples.image(minibatch, i), minibatch.labels()[i]);
        }
        return sum / minibatch.size();
    }

    private static double[] meanGradient(ReferenceNetwork oracle, Minibatch minibatch) {
        for (int i = 0; i < minibatch.size(); i++) {
            oracle.addGradient(Samples.image(minibatch, i), minibatch.labels()[i]);
        }
        double[] mean = oracle.gradient().clone();
        for (int i = 0; i < mean.length; i++) {
            mean[i] /= minibatch.size();
        }
        return mean;
    }
}
