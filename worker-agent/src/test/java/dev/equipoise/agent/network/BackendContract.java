package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Dropout;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Layer.Sigmoid;
import dev.equipoise.protocol.network.Layer.Tanh;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Window.Rounding;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of every backend. */
abstract class BackendContract {
    /**
     * Tolerance of float32 against double: about a hundred roundings of 6e-8 on values of the order
     * of 1.
     */
    static final double ROUNDING = 5e-6;

    /** Tolerance of float32 against double, relative to a layer's largest gradient. */
    static final double RELATIVE = 2e-5;

    /**
     * Relative tolerance of the oracle's gradients against its own central differences in double.
     */
    private static final double FINITE_DIFFERENCES = 1e-4;

    private static final Architecture TINY =
            network(
                    new Shape.Image(9, 11, 2),
                    new Convolution(3, 2, 1, 0),
                    new Relu(),
                    MaxPool.of(2),
                    new Convolution(5, 3, 1, 0),
                    new Relu(),
                    new Flatten(),
                    new Dense(7),
                    new Relu(),
                    new Dense(4));

    abstract Backend backend();

    static Stream<Architecture> architectures() {
        Shape image = new Shape.Image(8, 7, 2);
        Shape vector = new Shape.Vector(12);
        Shape words = new Shape.Tokens(5, 9);
        return Stream.of(
                TINY,
                network(vector, new Dense(8), new Relu(), new Dense(3)),
                network(vector, new Sigmoid(), new Dense(8), new Sigmoid(), new Dense(3)),
                network(vector, new Dense(8), new Tanh(), new Relu(), new Tanh(), new Dense(3)),
                network(vector, new Relu(), new Dense(3), new Dropout(0)),
                network(image, new Flatten(), new Dense(3)),
                network(image, MaxPool.of(2), new Convolution(3, 3, 1, 0), new Flatten()),
                network(image, new Convolution(3, 3, 1, 1), new Tanh(), new Flatten()),
                network(image, new Convolution(3, 3, 2, 1), new Relu(), new Flatten()),
                network(
                        image,
                        new Convolution(3, 5, 1, 2),
                        new MaxPool(3, 2, 0, Rounding.UP),
                        new Relu(),
                        new Convolution(4, 3, 2, 0),
                        new Flatten(),
                        new Dense(3)),
                network(
                        image,
                        new Convolution(4, 3, 1, 1),
                        new Relu(),
                        new AveragePool(3, 2, 0, Rounding.UP),
                        new Convolution(4, 3, 1, 1),
                        new AveragePool(3, 2, 1, Rounding.DOWN),
                        new Flatten(),
                        new Dense(3)),
                network(
                        image,
                        new Convolution(4, 3, 1, 1),
                        new Relu(),
                        new MaxPool(3, 2, 1, Rounding.DOWN),
                        new Flatten(),
                        new Dense(3)),
                network(
                        words,
                        new Embedding(6),
                        new Flatten(),
                        new Dense(5),
                        new Tanh(),
                        new Dense(9)),
                network(words, new Embedding(6), new Rnn(5), new Dense(9)),
                network(words, new Embedding(6), new Lstm(5), new Dense(9)),
                network(words, new Embedding(6), new Lstm(5), new Relu(), new Rnn(4), new Dense(9)),
                network(words, new Embedding(3), new Dense(4), new Sigmoid(), new Rnn(9)),
                network(words, new Embedding(3), new Lstm(4), new Flatten(), new Dense(2)),
                network(new Shape.Tokens(1, 9), new Embedding(6), new Lstm(5), new Dense(9)));
    }

    static Stream<Architecture> presets() {
        return Stream.of(
                Preset.MLP_203_100_26.architecture(),
                Preset.MNIST_CNN.architecture(),
                Preset.CIFAR_QUICK.architecture(),
                Preset.FEED_FORWARD_LM.architecture(new Shape.Tokens(4, 50), 50, 16),
                Preset.RNN_LM.architecture(new Shape.Tokens(20, 50), 50, 16),
                Preset.LSTM_LM.architecture(new Shape.Tokens(20, 50), 50, 16));
    }

    private static Architecture network(Shape input, Layer... layers) {
        return Architecture.of("test", input, List.of(layers));
    }

    /** A layer that a backend cannot compute fails its contract, and not a run. */
    @Test
    void networksOfTheContractHaveEveryLayer() {
        List<Class<?>> layers =
                architectures()
                        .flatMap(it -> it.layers().stream())
                        .<Class<?>>map(Layer::getClass)
                        .toList();

        assertThat(layers).containsAll(kinds(Layer.class).toList());
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(BackendContract::kinds)
                : Stream.of(type);
    }

    @ParameterizedTest
    @MethodSource({"architectures", "presets"})
    void agreesWithTheOracle(Architecture architecture) {
        Objective objective = Objective.meanCrossEntropy(architecture.scores());

        requireAgreement(architecture, objective, 3, ROUNDING);
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void sumsSamplesForASumLoss(Architecture architecture) {
        Objective objective =
                new Objective(
                        new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.SUM),
                        TargetCode.oneHot(architecture.scores()));

        requireAgreement(architecture, objective, 5, 5 * ROUNDING * architecture.positions());
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void agreesWithTheOracleOnSquaredErrors(Architecture architecture) {
        float[][] code = new float[2][architecture.scores()];
        code[0][0] = 0.9f;
        code[1][architecture.scores() - 1] = 0.8f;
        for (Loss.Reduction reduction : Loss.Reduction.values()) {
            Objective objective =
                    new Objective(
                            new Loss(Loss.Kind.SQUARED_ERROR, reduction), TargetCode.of(code));

            requireAgreement(architecture, objective, 3, 15 * ROUNDING);
        }
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void oracleAgreesWithFiniteDifferences(Architecture architecture) {
        // Small enough to stay on one side of the kinks.
        double h = 1e-6;
        Objective objective = Objective.meanCrossEntropy(architecture.scores());
        Minibatch minibatch = Samples.noise(architecture, 2, 3);
        double[] parameters = parameters(architecture, objective);
        double[] gradient = gradientOfOracle(architecture, objective, parameters, minibatch);
        for (int i = 0; i < parameters.length; i += 1 + parameters.length / 100) {
            double[] moved = parameters.clone();
            moved[i] += h;
            double above = lossOfOracle(architecture, objective, moved, minibatch);
            moved[i] -= 2 * h;
            double below = lossOfOracle(architecture, objective, moved, minibatch);
            double slope = (above - below) / (2 * h);

            assertThat(gradient[i])
                    .as("parameter %d", i)
                    .isCloseTo(slope, within(1e-9 + FINITE_DIFFERENCES * Math.abs(slope)));
        }
    }

    @Test
    void gradientIsTheWeightedMeanOfThePartsGradients() {
        Minibatch whole = Samples.noise(TINY, 8, 5);
        try (Network network = network(TINY)) {
            network.initialize(6);
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

    @ParameterizedTest
    @MethodSource("architectures")
    void overwritesThePreviousGradient(Architecture architecture) {
        Minibatch minibatch = Samples.noise(architecture, 4, 7);
        try (Network network = network(architecture)) {
            network.initialize(8);
            double loss = network.gradient(minibatch);
            double[] first = Samples.doubles(network.gradient());
            network.gradient(Samples.noise(architecture, 4, 9));

            assertThat(network.gradient(minibatch)).isEqualTo(loss);
            assertThat(Samples.doubles(network.gradient())).containsExactly(first);
        }
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void scoresLikeItTrains(Architecture architecture) {
        Minibatch minibatch = Samples.noise(architecture, 4, 7);
        try (Network network = network(architecture)) {
            network.initialize(8);
            double loss = network.gradient(minibatch);

            Score score = network.score(minibatch);

            assertThat(score.predictions()).isEqualTo(minibatch.labelCount());
            assertThat(score.lossSum() / score.predictions()).isCloseTo(loss, within(1e-6));
        }
    }

    @Test
    void lossIsExactWhenTheProbabilityUnderflows() {
        try (Network network = network(TINY)) {
            Minibatch minibatch = Samples.noise(TINY, 1, 1);
            minibatch.label(0, 0, 0);
            network.parameters().setAtIndex(JAVA_FLOAT, network.parameterCount() - 1, 500);

            assertThat(network.gradient(minibatch)).isCloseTo(500, within(1e-3));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 1_000, 100_003})
    void sgdStepHasTheBitsOfALoopInJava(int length) {
        var spec = new OptimizerSpec.Sgd(0.1);
        Optimizer loop = Optimizer.of(spec, 1, 1);
        Optimizer own = Optimizer.of(spec, 1, 1, backend().descent());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment expected = anyBits(arena, length, 1);
            MemorySegment actual = arena.allocate(expected.byteSize()).copyFrom(expected);
            OptimizerState state = loop.initialState(length, arena);
            for (int step = 0; step < 3; step++) {
                MemorySegment gradient = anyBits(arena, length, 2 + step);

                loop.step(state, expected, gradient);
                own.step(state, actual, gradient);

                assertThat(actual.toArray(JAVA_FLOAT))
                        .containsExactly(expected.toArray(JAVA_FLOAT));
            }
        }
    }

    /** Returns values of all magnitudes, including subnormal ones. */
    private static MemorySegment anyBits(Arena arena, int length, long seed) {
        var random = new SplittableRandom(seed);
        MemorySegment vector = arena.allocate(JAVA_FLOAT, length);
        for (int i = 0; i < length; i++) {
            float mantissa = (float) random.nextDouble(-2, 2);
            vector.setAtIndex(JAVA_FLOAT, i, Math.scalb(mantissa, random.nextInt(-140, 60)));
        }
        return vector;
    }

    @Test
    void multipliesMatrices() {
        try (Gemm gemm = new Gemm(33, backend())) {
            gemm.run();

            assertThat(gemm.result()).isEqualTo(33);
        }
    }

    private void requireAgreement(
            Architecture architecture, Objective objective, int size, double tolerance) {
        Minibatch minibatch = Samples.noise(architecture, objective.targets().classes(), size, 1);
        try (Network network = Network.of(architecture, objective, backend())) {
            network.initialize(2);
            double loss = network.gradient(minibatch);
            double[] parameters = Samples.doubles(network.parameters());
            double expected = lossOfOracle(architecture, objective, parameters, minibatch);
            double perPrediction =
                    objective.loss().reduction() == Loss.Reduction.MEAN
                            ? expected
                            : expected / minibatch.labelCount();

            assertThat(loss).isCloseTo(perPrediction, within(tolerance));
            requireClose(
                    network.blocks(),
                    Samples.doubles(network.gradient()),
                    gradientOfOracle(architecture, objective, parameters, minibatch));
        }
    }

    /**
     * Compares with the largest gradient of each layer, so that layers of small gradients are
     * checked too.
     */
    private static void requireClose(
            List<ParameterBlock> blocks, double[] actual, double[] expected) {
        for (ParameterBlock block : blocks) {
            double largest = 0;
            double difference = 0;
            for (int i = block.offset(); i < block.offset() + block.length(); i++) {
                largest = Math.max(largest, Math.abs(expected[i]));
                difference = Math.max(difference, Math.abs(actual[i] - expected[i]));
            }
            assertThat(difference).as("%s", block).isLessThanOrEqualTo(RELATIVE * largest);
        }
    }

    private Network network(Architecture architecture) {
        return Network.of(
                architecture, Objective.meanCrossEntropy(architecture.scores()), backend());
    }

    private double[] parameters(Architecture architecture, Objective objective) {
        try (Network network = Network.of(architecture, objective, backend())) {
            network.initialize(4);
            return Samples.doubles(network.parameters());
        }
    }

    private static double largestDifference(double[] actual, double[] expected) {
        double largest = 0;
        for (int i = 0; i < expected.length; i++) {
            double difference = Math.abs(actual[i] - expected[i]);
            largest = difference <= largest ? largest : difference;
        }
        return largest;
    }

    private static double lossOfOracle(
            Architecture architecture,
            Objective objective,
            double[] parameters,
            Minibatch minibatch) {
        var oracle = new ReferenceNetwork(architecture, objective, parameters);
        double sum = 0;
        for (int i = 0; i < minibatch.size(); i++) {
            sum += oracle.loss(Samples.sample(minibatch, i), Samples.labels(minibatch, i));
        }
        return sum * weight(objective, minibatch);
    }

    private static double[] gradientOfOracle(
            Architecture architecture,
            Objective objective,
            double[] parameters,
            Minibatch minibatch) {
        var oracle = new ReferenceNetwork(architecture, objective, parameters);
        for (int i = 0; i < minibatch.size(); i++) {
            oracle.addGradient(Samples.sample(minibatch, i), Samples.labels(minibatch, i));
        }
        double[] gradient = oracle.gradient().clone();
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] *= weight(objective, minibatch);
        }
        return gradient;
    }

    private static double weight(Objective objective, Minibatch minibatch) {
        return objective.loss().reduction() == Loss.Reduction.MEAN
                ? 1.0 / minibatch.labelCount()
                : 1;
    }
}
