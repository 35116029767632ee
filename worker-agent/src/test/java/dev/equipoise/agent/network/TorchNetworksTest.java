package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.network.onednn.OneDnnBackend;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Device;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares whole networks with PyTorch in float64; benchmarks/oracle/networks.py computed the
 * figures.
 */
class TorchNetworksTest {
    private static final String RESOURCE = "torch-networks.json";
    private static final int BATCH = 4;
    private static final int STEPS = 5;
    private static final float RATE = 0.01f;

    /** Relative tolerance for sums of some thousand float32 products. */
    private static final double TOLERANCE = 2e-5;

    static Stream<Arguments> networks() throws IOException {
        try (InputStream in = TorchNetworksTest.class.getResourceAsStream(RESOURCE)) {
            JsonNode figures = JsonMapper.builder().build().readTree(Objects.requireNonNull(in));
            return figures.values().stream()
                    .flatMap(figure ->
                            Stream.of(OneDnnBackend.load(), new Nd4jBackend(Device.CPU))
                                    .map(backend -> Arguments.of(figure, backend)));
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void lossAndGradientEqualPyTorch(JsonNode figure, Backend backend) {
        Architecture architecture = architecture(figure.path("name").asString());
        try (Network network = network(architecture, backend)) {
            Minibatch minibatch = minibatch(architecture);

            double loss = network.gradient(minibatch);
            double[] gradient = Samples.doubles(network.gradient());

            assertThat(loss).isCloseTo(figure.path("loss").asDouble(), within(TOLERANCE));
            double norm = figure.path("gradientNorm").asDouble();
            assertThat(norm(gradient)).isCloseTo(norm, within(TOLERANCE * norm));
            List<JsonNode> picked = List.copyOf(figure.path("picked").values());
            for (int i = 0; i < picked.size(); i++) {
                assertThat(gradient[picked.get(i).asInt()])
                        .as("parameter %s", picked.get(i))
                        .isCloseTo(
                                figure.path("gradient").path(i).asDouble(),
                                within(TOLERANCE * norm));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void lossAfterStepsEqualsPyTorch(JsonNode figure, Backend backend) {
        Architecture architecture = architecture(figure.path("name").asString());
        try (Network network = network(architecture, backend)) {
            Minibatch minibatch = minibatch(architecture);
            for (int step = 0; step < STEPS; step++) {
                network.gradient(minibatch);
                descend(network);
            }

            double expected = figure.path("lossAfterSteps").asDouble();
            assertThat(network.gradient(minibatch))
                    .isCloseTo(expected, within(5 * TOLERANCE * expected));
        }
    }

    private static Architecture architecture(String name) {
        Preset preset = Preset.named(name).orElseThrow();
        return switch (preset) {
            case FEED_FORWARD_LM -> preset.architecture(new Shape.Tokens(4, 60), 60, 12);
            case RNN_LM, LSTM_LM -> preset.architecture(new Shape.Tokens(7, 60), 60, 12);
            default -> preset.architecture();
        };
    }

    private static Network network(Architecture architecture, Backend backend) {
        Network network =
                Network.of(
                        architecture, Objective.meanCrossEntropy(architecture.scores()), backend);
        for (int i = 0; i < network.parameterCount(); i++) {
            network.parameters().setAtIndex(JAVA_FLOAT, i, (float) (0.08 * Math.sin(1.0 + i)));
        }
        return network;
    }

    private static Minibatch minibatch(Architecture architecture) {
        var minibatch =
                new Minibatch(
                        architecture.input(), architecture.positions(), BATCH, Arena.ofAuto());
        minibatch.resize(BATCH);
        boolean words = architecture.input() instanceof Shape.Tokens;
        for (int i = 0; i < minibatch.values().byteSize() / Float.BYTES; i++) {
            minibatch.values().setAtIndex(JAVA_FLOAT, i, (float) ((1 + Math.cos(0.7 * i)) / 2));
        }
        Arrays.setAll(minibatch.tokens(), i -> i * 17 % 60);
        Arrays.setAll(minibatch.labels(), i -> words ? i * 11 % 60 : i * 3 % 10);
        return minibatch;
    }

    private static void descend(Network network) {
        for (int i = 0; i < network.parameterCount(); i++) {
            float stepped =
                    network.parameters().getAtIndex(JAVA_FLOAT, i)
                            - RATE * network.gradient().getAtIndex(JAVA_FLOAT, i);
            network.parameters().setAtIndex(JAVA_FLOAT, i, stepped);
        }
    }

    private static double norm(double[] vector) {
        return Math.sqrt(Arrays.stream(vector).map(value -> value * value).sum());
    }
}
