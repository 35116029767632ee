package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.network.Architecture;
import java.lang.foreign.Arena;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares oneDNN and ND4J on the same weights and samples, within twice the tolerances by which
 * {@link BackendContract} compares each with the oracle.
 */
class BackendAgreementTest {

    /** Tolerance of a loss. */
    private static final double LOSS = 2 * BackendContract.ROUNDING;

    /** Tolerance of a gradient, relative to the largest one of its layer. */
    private static final double GRADIENT = 2 * BackendContract.RELATIVE;

    /** Tolerance of weights after several steps, relative to how far the steps have moved them. */
    private static final double MOVED = 1e-3;

    private static final int BATCH = 4;
    private static final int STEPS = 5;

    static Stream<Architecture> networks() {
        return Stream.concat(BackendContract.architectures(), BackendContract.presets());
    }

    @ParameterizedTest
    @MethodSource("networks")
    void lossAndGradientAgree(Architecture architecture) {
        Minibatch minibatch = Samples.noise(architecture, BATCH, 3);
        try (Network one = network(architecture, BackendKind.ONEDNN);
                Network other = network(architecture, BackendKind.ND4J)) {
            assertThat(Samples.doubles(other.parameters()))
                    .containsExactly(Samples.doubles(one.parameters()));

            double loss = one.gradient(minibatch);

            assertThat(other.gradient(minibatch)).isCloseTo(loss, within(LOSS));
            double[] expected = Samples.doubles(one.gradient());
            double[] actual = Samples.doubles(other.gradient());
            for (ParameterBlock block : one.blocks()) {
                assertThat(largest(block, expected, actual))
                        .as("%s", block)
                        .isLessThanOrEqualTo(
                                GRADIENT * largest(block, expected, new double[expected.length]));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void weightsAfterStepsAgree(Architecture architecture) {
        try (Network one = network(architecture, BackendKind.ONEDNN);
                Network other = network(architecture, BackendKind.ND4J)) {
            double[] initial = Samples.doubles(one.parameters());
            train(one);
            train(other);

            double[] expected = Samples.doubles(one.parameters());
            double moved = distance(expected, initial);
            assertThat(moved).isPositive();
            assertThat(distance(Samples.doubles(other.parameters()), expected))
                    .isLessThan(MOVED * moved);
        }
    }

    private static Network network(Architecture architecture, BackendKind kind) {
        Network network =
                Network.of(
                        architecture,
                        Objective.meanCrossEntropy(architecture.scores()),
                        Backends.load(kind));
        network.initialize(2);
        return network;
    }

    private static void train(Network network) {
        Optimizer optimizer = Optimizer.of(new OptimizerSpec.Sgd(0.01), 1, 1, network.descent());
        try (Arena arena = Arena.ofConfined()) {
            OptimizerState state = optimizer.initialState(network.parameterCount(), arena);
            for (int step = 0; step < STEPS; step++) {
                network.gradient(Samples.noise(network.architecture(), BATCH, 10 + step));
                state = optimizer.step(state, network.parameters(), network.gradient());
            }
        }
    }

    /** Returns the largest difference of two vectors in one layer. */
    private static double largest(ParameterBlock block, double[] one, double[] other) {
        double largest = 0;
        for (int i = block.offset(); i < block.offset() + block.length(); i++) {
            largest = Math.max(largest, Math.abs(one[i] - other[i]));
        }
        return largest;
    }

    private static double distance(double[] one, double[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += (one[i] - other[i]) * (one[i] - other[i]);
        }
        return Math.sqrt(sum);
    }
}
