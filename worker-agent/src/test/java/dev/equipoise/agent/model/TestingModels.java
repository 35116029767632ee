package dev.equipoise.agent.model;

import static java.util.Objects.requireNonNull;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown.View;
import dev.equipoise.protocol.model.ClassNames;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Dropout;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Layer.Sigmoid;
import dev.equipoise.protocol.network.Layer.Tanh;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Window.Rounding;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Descriptions of models: all presets, and networks with every layer and rounding. */
final class TestingModels {

    static final RunId RUN = RunId.of(UUID.fromString("00000000-0000-0000-0000-000000000033"));

    private static final int WORDS = 30;

    private TestingModels() {}

    /** Returns a file that benchmarks/oracle/models.py made. */
    static Path file(String name) {
        URL file = TestingModels.class.getResource(name + ".safetensors");
        return Path.of(URI.create(requireNonNull(file).toString()));
    }

    /** Returns the samples of such a file, with their scores. */
    static List<JsonNode> oracle(String name) throws IOException {
        try (InputStream in = TestingModels.class.getResourceAsStream("scores.json")) {
            JsonNode scores = JsonMapper.shared().readTree(requireNonNull(in));
            return List.copyOf(scores.path(name).values());
        }
    }

    static Stream<ModelDescription> all() {
        return Stream.concat(
                Arrays.stream(Preset.values()).map(TestingModels::of),
                Stream.of(
                        pooling(Rounding.UP),
                        pooling(Rounding.DOWN),
                        scoresOfPixels(),
                        rows(),
                        sequence()));
    }

    static ModelDescription of(Preset preset) {
        if (preset.isLanguageModel()) {
            boolean isWindow = preset == Preset.FEED_FORWARD_LM;
            var brown =
                    new PublishedSpec.Brown(
                            isWindow ? View.WINDOWS : View.SEQUENCES, WORDS, 4, 100);
            return of(preset.architecture(brown.input(), WORDS, 8), brown);
        }
        return of(preset.architecture(), dataset(preset.input()));
    }

    private static DatasetSpec dataset(Shape input) {
        return switch (input) {
            case Shape.Image(int _, int _, int channels) when channels == 1 ->
                    new PublishedSpec.Mnist(new Standardize(List.of(0.1307), List.of(0.3081)), 100);
            case Shape.Image _ ->
                    new PublishedSpec.Cifar10(
                            new Standardize(List.of(0.49, 0.48, 0.45), List.of(0.25, 0.24, 0.26)),
                            100);
            default -> new PublishedSpec.Nettalk(100);
        };
    }

    /** Windows that overlap, with padding, and that leave a rest of the image. */
    private static ModelDescription pooling(Rounding rounding) {
        return of(
                "pooling-" + rounding,
                new Shape.Image(11, 10, 1),
                new OwnSpec.Idx("own", 11, 10, 5, 100, new Normalization.Unit(), 100),
                new Convolution(3, 3, 2, 1),
                new Relu(),
                new MaxPool(3, 2, 1, rounding),
                new Convolution(4, 2, 1, 1),
                new Sigmoid(),
                new AveragePool(3, 2, 1, rounding),
                new Dropout(0.5),
                new Flatten(),
                new Tanh(),
                new Dense(5));
    }

    /** Scores that are a flattened image. */
    private static ModelDescription scoresOfPixels() {
        return of(
                "pixels",
                new Shape.Image(4, 6, 2),
                new DatasetSpec.Synthetic(List.of(4, 6, 2), 4, 100, 1, 100),
                new Convolution(2, 2, 2, 0),
                new AveragePool(2, 2, 0, Rounding.UP),
                new Flatten());
    }

    private static ModelDescription rows() {
        var normalization = new Standardize(List.of(100.0, 120.0, 90.0), List.of(50.0, 60.0, 70.0));
        return of(
                "rows",
                new Shape.Vector(3),
                new OwnSpec.Csv("own", 3, 4, 100, normalization, 100),
                new Flatten(),
                new Dense(6),
                new Tanh(),
                new Dense(4));
    }

    private static ModelDescription sequence() {
        return of(
                "sequence",
                new Shape.Tokens(3, WORDS),
                new PublishedSpec.Brown(View.SEQUENCES, WORDS, 3, 100),
                new Embedding(5),
                new Dense(6),
                new Relu(),
                new Rnn(4),
                new Dense(WORDS));
    }

    static ModelDescription tooLargeForOnnx() {
        return of(
                "large",
                new Shape.Vector(100_000),
                new OwnSpec.Csv("own", 100_000, 2, 1, new Normalization.Unit(), 1),
                new Dense(10_000),
                new Dense(2));
    }

    private static ModelDescription of(
            String name, Shape input, DatasetSpec dataset, Layer... layers) {
        return of(new Architecture(name, input, List.of(layers)), dataset);
    }

    static ModelDescription of(Architecture network, DatasetSpec dataset) {
        return new ModelDescription(
                RUN,
                3,
                0.9375,
                "{\"name\": \"example\"}",
                network,
                dataset,
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                ClassNames.of(dataset));
    }
}
