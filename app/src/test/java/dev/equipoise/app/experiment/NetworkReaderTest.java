package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class NetworkReaderTest {

    private static final ObjectMapper YAML = YAMLMapper.builder().build();
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private static final String MNIST_CNN =
            """
            layers:
              - conv2d: {filters: 20, kernel: 5}
              - relu
              - maxPool: 2
              - conv2d: {filters: 50, kernel: 5}
              - relu: {}
              - maxPool: {size: 2}
              - flatten
              - dense: 500
              - relu
              - dense: {units: 10}
            """;

    private static RunConfiguration read(String dataset, String network, String loss) {
        return Definition.read(
                        YAML.readTree(
                                """
                                apiVersion: equipoise/v1
                                name: test
                                dataset: {name: %s}
                                network:
                                %s
                                training: {epochs: 1, loss: %s}
                                workers: {replicas: 1}
                                """
                                        .formatted(dataset, network.indent(2), loss)))
                .configurations()
                .getFirst();
    }

    private static Architecture architecture(String dataset, String network) {
        return read(dataset, network, "softmax-cross-entropy").architecture();
    }

    private static List<String> broken(String dataset, String network, String loss) {
        Problem problem =
                Assertions.catchThrowableOfType(Problem.class, () -> read(dataset, network, loss));
        return problem.violations().stream().map(it -> it.pointer() + " " + it.rule()).toList();
    }

    @Test
    void layersCanEqualAPreset() {
        Architecture listed = architecture("mnist", MNIST_CNN);

        assertThat(listed.layers()).isEqualTo(Preset.MNIST_CNN.architecture().layers());
        assertThat(listed.stages()).isEqualTo(Preset.MNIST_CNN.architecture().stages());
        assertThat(listed.parameterCount()).isEqualTo(431_080);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mnist | preset: mnist-cnn | 431080",
                "cifar-10 | preset: cifar-quick | 145578",
                "cifar-100 | preset: cifar-quick | 151428",
                "cifar-100 | preset: cifar-cnn | 2168356",
                "'brown, vocabulary: 49036' | preset: feed-forward-lm | 104670092",
                "'brown, vocabulary: 49036, view: sequences' | preset: lstm-lm | 108867468",
                "'brown, view: sequences' | '{preset: rnn-lm, hidden: 256}' | 5261328"
            })
    void presetAdaptsToItsData(String dataset, String network, int parameters) {
        assertThat(architecture(dataset, network).parameterCount()).isEqualTo(parameters);
    }

    @Test
    void perceptronForTargetCodesFitsItsLoss() {
        RunConfiguration read = read("nettalk", "preset: mlp-203-100-26", "squared-error");

        assertThat(read.architecture()).isEqualTo(Preset.MLP_203_100_26.architecture());
    }

    @Test
    void networkSurvivesSerialization() {
        for (String network : List.of(MNIST_CNN, "preset: mnist-cnn")) {
            RunConfiguration read = read("mnist", network, "softmax-cross-entropy");

            assertThat(Definition.read(JSON.valueToTree(read)).configurations())
                    .containsExactly(read);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mnist | layers: [dense: 10] | /network/layers/0 must fit: layer 0, Dense[units=10],"
                        + " takes a vector, which flatten makes, or a sequence, but is given 28x28x1",
                "mnist | layers: [flatten, conv2d: {filters: 2, kernel: 3}] | /network/layers/1 must"
                        + " fit: layer 1, Convolution[filters=2, kernel=3, stride=1, padding=0], takes"
                        + " an image of at least 3x3, but is given a vector of 784",
                "mnist | layers: [flatten, dense: 26] | /network/layers/1 must end in 10 scores at"
                        + " 1 position, as data and loss require, but ends in a vector of 26",
                "mnist | layers: [relu] | /network/layers/0 must fit: the last layer must end in"
                        + " scores, a vector or a sequence, but ends in 28x28x1",
                "brown | layers: [flatten] | /network/layers/0 must fit: layer 0, Flatten[], takes"
                        + " numbers, which an embedding makes, but is given 4 words of 10000",
                "brown | preset: lstm-lm | /network/preset must end in 10000 scores at 1 position,"
                        + " as data and loss require, but ends in 4 positions of 10000",
                "brown | preset: mnist-cnn | /network/preset must fit: layer 0,"
                        + " Convolution[filters=20, kernel=5, stride=1, padding=0], takes an image of"
                        + " at least 5x5, but is given 4 words of 10000",
                "mnist | '{preset: mnist-cnn, hidden: 5}' | /network/hidden is not a field; the"
                        + " fields here are [preset]",
                "mnist | layers: [flatten, dense: 999999, dense: 10] | /network/layers must have at"
                        + " most 500,000,000 parameters, but has 794,999,215",
                "mnist | layers: [flatten, relu: 5, dense: 10] | /network/layers/1/relu must not"
                        + " have a value",
                "'synthetic, features: 10' | layers: [relu] | /network/layers must have parameters to"
                        + " learn",
                "'brown, view: sequences, length: 1000' | '{preset: rnn-lm, hidden: 8}' |"
                        + " /training/batchSize must give every layer at most 536,870,912 values"
                        + " per mini-batch, but a layer has 640,000,000",
                "mnist | layers: [] | /network/layers must be a list of 1 to 200 elements",
                "mnist | layers: [flatten, dens: 10] | /network/layers/1 must be one of [dense,"
                        + " conv2d, maxPool, averagePool, relu, sigmoid, tanh, flatten, dropout,"
                        + " embedding, rnn, lstm], or an object of one field of that name; did you mean"
                        + " dense?",
                "mnist | layers: [flatten, dense: 0] | /network/layers/1/dense/units must be from 1"
                        + " to 1000000",
                "mnist | layers: [flatten, dense: {unit: 10}] | /network/layers/1/dense/units must"
                        + " be given"
            })
    void networkThatDoesNotFitIsRejected(String dataset, String network, String violation) {
        assertThat(broken(dataset, network, "softmax-cross-entropy")).contains(violation);
    }

    @Test
    void presetWithLayersIsRejected() {
        assertThat(
                        broken(
                                "mnist",
                                "{preset: mnist-cnn, layers: [flatten, dense: 10]}",
                                "softmax-cross-entropy"))
                .containsExactly("/network/preset must not be given with /network/layers");
    }

    @Test
    void lossDeterminesTheNumberOfScores() {
        int classes =
                read("nettalk", "preset: mlp-203-100-26", "squared-error").dataset().classes();
        String layers = "layers: [dense: 26]";

        assertThat(read("nettalk", layers, "squared-error").architecture().scores()).isEqualTo(26);
        assertThat(broken("nettalk", layers, "softmax-cross-entropy"))
                .singleElement()
                .asString()
                .contains("must end in %d scores".formatted(classes));
    }
}
