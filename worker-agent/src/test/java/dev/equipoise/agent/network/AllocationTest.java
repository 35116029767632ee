package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.AllocationTrials;
import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A training step does not allocate on the heap. */
@Tag("allocation")
class AllocationTest {
    private static final long MAX_BYTES_PER_STEP = 1024;
    private static final int WARM_UPS = 10;
    private static final int STEPS = 100;

    static Stream<Architecture> networks() {
        return Stream.of(
                Preset.MLP_784_512_10.architecture(),
                Preset.MNIST_CNN.architecture(),
                Preset.FEED_FORWARD_LM.architecture(new Shape.Tokens(4, 50), 50, 8),
                Preset.RNN_LM.architecture(new Shape.Tokens(5, 50), 50, 8),
                Preset.LSTM_LM.architecture(new Shape.Tokens(5, 50), 50, 8));
    }

    @ParameterizedTest
    @MethodSource("networks")
    void stepAllocatesNextToNothing(Architecture architecture) throws Exception {
        Objective objective = Objective.meanCrossEntropy(architecture.scores());
        assertThat(Backends.load()).isNotInstanceOf(Nd4jBackend.class);
        try (Network network = Network.of(architecture, objective, Backends.load());
                Arena arena = Arena.ofConfined()) {
            network.initialize(1);
            Minibatch minibatch = Samples.noise(architecture, 2, 1);
            Optimizer optimizer =
                    Optimizer.of(new OptimizerSpec.Sgd(0.01), 1, 1, network.descent());
            OptimizerState state = optimizer.initialState(network.parameterCount(), arena);
            train(network, minibatch, optimizer, state, WARM_UPS);

            AllocationTrials.assertBytesPerRound(
                    MAX_BYTES_PER_STEP,
                    () ->
                            AllocationTrials.bytesOf(() ->
                                    train(network, minibatch, optimizer, state, STEPS))
                                    / STEPS);
        }
    }

    private static void train(
            Network network,
            Minibatch minibatch,
            Optimizer optimizer,
            OptimizerState start,
            int steps) {
        OptimizerState state = start;
        for (int step = 0; step < steps; step++) {
            network.gradient(minibatch, () -> {});
            state = optimizer.step(state, network.parameters(), network.gradient());
        }
    }
}
