package dev.equipoise.agent.model;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.protocol.dataset.NumericSpec;
import dev.equipoise.protocol.model.InputScaling;
import dev.equipoise.protocol.model.ModelFileInvalid;
import dev.equipoise.protocol.model.ModelMetadata;
import dev.equipoise.protocol.model.ModelStream;
import dev.equipoise.protocol.model.ModelTensors;
import dev.equipoise.protocol.model.SafetensorsHeader;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks model files against those of benchmarks/oracle/models.py, which computed their scores in
 * plain Python. PyTorch is compared with the same files.
 */
class TrainedModelFileTest {

    private static final Backend BACKEND = Backends.load();

    @TempDir private Path folder;

    static Stream<ModelDescription> models() {
        return TestingModels.all();
    }

    @ParameterizedTest
    @ValueSource(strings = {"digits", "digits-average", "words", "words-rnn"})
    void scoresOfAFileEqualTheOracle(String name) throws Exception {
        List<JsonNode> expected = TestingModels.oracle(name);
        try (TrainedModelFile file = TrainedModelFile.open(TestingModels.file(name));
                Network network = network(file);
                Arena memory = Arena.ofConfined()) {
            file.readInto(network.parameters());
            Architecture architecture = network.architecture();
            int count = expected.size();
            MemorySegment scores = network.scores(minibatch(file, expected, memory));
            for (int sample = 0; sample < count; sample++) {
                List<Double> values = numbers(expected.get(sample).path("scores"));
                for (int i = 0; i < values.size(); i++) {
                    int row = i / architecture.scores() * count + sample;
                    long at = (long) row * architecture.scores() + i % architecture.scores();
                    assertThat((double) scores.getAtIndex(JAVA_FLOAT, at))
                            .isCloseTo(values.get(i), within(1e-5));
                }
            }
        }
    }

    private static Network network(TrainedModelFile file) {
        Architecture architecture = file.description().network();
        return Network.of(architecture, Objective.meanCrossEntropy(architecture.scores()), BACKEND);
    }

    private static Minibatch minibatch(
            TrainedModelFile file, List<JsonNode> samples, Arena memory) {
        Architecture architecture = file.description().network();
        var minibatch =
                new Minibatch(
                        architecture.input(), architecture.positions(), samples.size(), memory);
        minibatch.resize(samples.size());
        for (int sample = 0; sample < samples.size(); sample++) {
            List<Double> values = numbers(samples.get(sample).path("sample"));
            for (int i = 0; i < values.size(); i++) {
                if (file.description().dataset() instanceof NumericSpec numeric) {
                    double value = InputScaling.of(numeric).orElseThrow().apply(values.get(i), 0);
                    long at = (long) sample * values.size() + i;
                    minibatch.values().setAtIndex(JAVA_FLOAT, at, (float) value);
                } else {
                    minibatch.token(sample, i, values.get(i).intValue());
                }
            }
        }
        return minibatch;
    }

    /** Returns all numbers of a list or of a list of lists. */
    private static List<Double> numbers(JsonNode nested) {
        List<Double> numbers = new ArrayList<>();
        for (JsonNode value : nested.values()) {
            if (value.isNumber()) {
                numbers.add(value.asDouble());
            } else {
                numbers.addAll(numbers(value));
            }
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"digits", "digits-average", "words", "words-rnn"})
    void tensorsOfTheOracleAreThoseThatAreWritten(String name) throws Exception {
        byte[] oracle = Files.readAllBytes(TestingModels.file(name));
        try (TrainedModelFile file = TrainedModelFile.open(TestingModels.file(name))) {
            float[] formula = new float[file.description().network().parameterCount()];
            for (int i = 0; i < formula.length; i++) {
                formula[i] = ((i * 7919L + 17) % 2003 - 1001) / 4096f;
            }
            MemorySegment parameters = MemorySegment.ofArray(new float[formula.length]);
            file.readInto(parameters);
            byte[] written = written(file, formula);

            assertThat(parameters.toArray(JAVA_FLOAT)).isEqualTo(formula);
            assertThat(header(written)).isEqualTo(header(oracle));
            assertThat(data(written)).isEqualTo(data(oracle));
        }
    }

    private static byte[] written(TrainedModelFile file, float[] parameters) throws IOException {
        try (var stream =
                new ModelStream(
                        file.metadata(), file.tensors(), MemorySegment.ofArray(parameters))) {
            return stream.readAllBytes();
        }
    }

    private static SafetensorsHeader header(byte[] file) throws IOException {
        return SafetensorsHeader.read(new ByteArrayInputStream(file), file.length);
    }

    private static byte[] data(byte[] file) throws IOException {
        int bytes = (int) header(file).dataBytes();
        return Arrays.copyOfRange(file, file.length - bytes, file.length);
    }

    @ParameterizedTest
    @MethodSource("models")
    void descriptionIsReadAsItWasWritten(ModelDescription model) throws Exception {
        Path path = write(model, model.toMetadata());

        try (TrainedModelFile file = TrainedModelFile.open(path)) {
            assertThat(file.description()).isEqualTo(model);
            assertThat(file.metadata()).isEqualTo(model.toMetadata());
        }
    }

    private Path write(ModelDescription model, Map<String, String> metadata) throws IOException {
        var parameters = MemorySegment.ofArray(new float[model.network().parameterCount()]);
        Path path = folder.resolve("model.safetensors");
        try (var stream = new ModelStream(metadata, ModelTensors.of(model.network()), parameters)) {
            Files.copy(stream, path);
        }
        return path;
    }

    @Test
    void metadataTellPyTorchUsersWhatTheyNeed() {
        Map<String, String> metadata = TestingModels.of(Preset.MNIST_CNN).toMetadata();

        assertThat(metadata)
                .containsEntry(ModelMetadata.FORMAT, "pt")
                .containsEntry(ModelMetadata.INPUT_SHAPE, "[1,28,28]")
                .containsEntry(
                        ModelMetadata.CLASS_NAMES,
                        "[\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]")
                .containsEntry(ModelMetadata.ACCURACY, "0.9375")
                .containsEntry(ModelMetadata.RUN, "00000000-0000-0000-0000-000000000033");
        JsonNode normalization =
                JsonMapper.shared().readTree(metadata.get(ModelMetadata.NORMALIZATION));
        assertThat(normalization.path("divisor").asInt()).isEqualTo(255);
        assertThat(numbers(normalization.path("mean"))).containsExactly(0.1307);
        assertThat(numbers(normalization.path("deviation"))).containsExactly(0.3081);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    equipoise_model |        | the file has no metadata equipoise_model: it is no model of Equipoise
                    equipoise_model | 2      | the file has the model version 2, but this version reads 1: update Equipoise
                    run             | 7      | the metadata run of the file are invalid
                    epoch           | third  | the metadata epoch of the file are invalid
                    accuracy        | high   | the metadata accuracy of the file are invalid
                    network         |        | the file has no metadata network
                    network         | {}     | the metadata network of the file are invalid
                    network         | null   | the metadata network of the file are null
                    network         | {"name":"n","input":{"kind":"vector","length":203},"layers":[{"sum":{}}]} | the metadata network of the file are invalid
                    network         | {"name":"n","input":{"kind":"vector","length":203},"layers":[{"dense":{"units":2}}]} | the tensor layers.0.weight of the file has the shape [100, 203], but the network's has [2, 203]
                    dataset         | {"name":"mnist-c"} | the metadata dataset of the file are invalid
                    """)
    void invalidMetadataAreRefusedInWords(String name, @Nullable String text, String sentence)
            throws Exception {
        ModelDescription model = TestingModels.of(Preset.MLP_203_100_26);
        Map<String, String> metadata = new HashMap<>(model.toMetadata());
        metadata.remove(name);
        if (text != null) {
            metadata.put(name, text);
        }
        Path path = write(model, metadata);

        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> TrainedModelFile.open(path))
                .withMessageContaining(sentence);
    }
}
