package dev.equipoise.protocol.model;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks names, shapes and layouts; parameter i of the flat vector has the value i. */
class ModelTensorsTest {

    private static Architecture network(Shape input, Layer... layers) {
        return new Architecture("network", input, List.of(layers));
    }

    private static ModelTensor tensor(Architecture network, String name) {
        return ModelTensors.of(network).stream()
                .filter(tensor -> tensor.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the indices of a tensor's elements in the flat vector, row-major. */
    private static List<Integer> indices(Architecture network, String name) {
        int count = network.parameterCount();
        float[] flat = new float[count];
        for (int i = 0; i < count; i++) {
            flat[i] = i;
        }
        ModelTensor tensor = tensor(network, name);
        FloatBuffer elements = FloatBuffer.allocate((int) tensor.elements());
        tensor.gather(MemorySegment.ofArray(flat), 0, elements);
        return IntStream.range(0, elements.capacity())
                .mapToObj(i -> (int) elements.get(i))
                .toList();
    }

    @Test
    void namesAndShapesAreThoseOfPyTorch() {
        Architecture network = Preset.MNIST_CNN.architecture();

        assertThat(ModelTensors.of(network))
                .extracting(tensor -> tensor.name() + " " + tensor.shape())
                .containsExactly(
                        "layers.0.weight [20, 1, 5, 5]",
                        "layers.0.bias [20]",
                        "layers.3.weight [50, 20, 5, 5]",
                        "layers.3.bias [50]",
                        "layers.7.weight [500, 800]",
                        "layers.7.bias [500]",
                        "layers.9.weight [10, 500]",
                        "layers.9.bias [10]");
    }

    @Test
    void recurrentLayersHaveTwoWeightsAndTwoBiases() {
        Architecture network = Preset.LSTM_LM.architecture(new Shape.Tokens(4, 30), 30, 8);

        assertThat(ModelTensors.of(network))
                .extracting(tensor -> tensor.name() + " " + tensor.shape())
                .containsExactly(
                        "layers.0.weight [30, 8]",
                        "layers.1.weight_ih_l0 [32, 8]",
                        "layers.1.weight_hh_l0 [32, 8]",
                        "layers.1.bias_ih_l0 [32]",
                        "layers.1.bias_hh_l0 [32]",
                        "layers.2.weight [30, 8]",
                        "layers.2.bias [30]");
    }

    @Test
    void denseWeightsAreTransposed() {
        Architecture network = network(new Shape.Vector(3), new Dense(2));

        assertThat(indices(network, "layers.0.weight")).containsExactly(0, 2, 4, 1, 3, 5);
        assertThat(indices(network, "layers.0.bias")).containsExactly(6, 7);
    }

    /** Our rows run over height, width, channel; PyTorch's filters over channel, height, width. */
    @Test
    void filtersHaveTheirChannelsFirst() {
        Architecture network =
                network(
                        new Shape.Image(2, 2, 2),
                        new Convolution(2, 2, 1, 0),
                        new Flatten(),
                        new Dense(2));

        assertThat(indices(network, "layers.0.weight"))
                .containsExactly(0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15);
    }

    @Test
    void denseLayerBehindAFlattenedImageTakesItsChannelsFirst() {
        Architecture network =
                network(
                        new Shape.Image(1, 3, 2),
                        new Flatten(),
                        new Relu(),
                        new Dense(1),
                        new Dense(2));

        assertThat(indices(network, "layers.2.weight")).containsExactly(0, 2, 4, 1, 3, 5);
        assertThat(indices(network, "layers.3.weight")).containsExactly(7, 8);
        assertThat(ModelTensors.endsInFlattenedImage(network)).isFalse();
        assertThat(
                        ModelTensors.endsInFlattenedImage(
                                network(new Shape.Image(1, 3, 2), new Flatten())))
                .isTrue();
    }

    @Test
    void recurrentWeightsAreTransposedAndTheSecondBiasIsZero() {
        Architecture network = network(new Shape.Tokens(2, 3), new Embedding(1), new Lstm(1));

        assertThat(indices(network, "layers.0.weight")).containsExactly(0, 1, 2);
        assertThat(indices(network, "layers.1.weight_ih_l0")).containsExactly(3, 4, 5, 6);
        assertThat(indices(network, "layers.1.weight_hh_l0")).containsExactly(7, 8, 9, 10);
        assertThat(indices(network, "layers.1.bias_ih_l0")).containsExactly(11, 12, 13, 14);
        assertThat(indices(network, "layers.1.bias_hh_l0")).containsExactly(0, 0, 0, 0);
    }

    @ParameterizedTest
    @EnumSource(Preset.class)
    void everyParameterBelongsToOneElement(Preset preset) {
        Architecture network = small(preset);
        float[] counts = new float[network.parameterCount()];
        for (ModelTensor tensor : ModelTensors.of(network)) {
            for (long i = 0; i < tensor.elements() && !tensor.isAddend(); i++) {
                counts[(int) tensor.position(i)]++;
            }
        }

        assertThat(counts).containsOnly(1);
    }

    /** Returns a preset with few words. */
    static Architecture small(Preset preset) {
        return preset.isLanguageModel()
                ? preset.architecture(new Shape.Tokens(4, 30), 30, 8)
                : preset.architecture();
    }

    @Test
    void scatterReplacesAndAddends() {
        float[] flat = {1, 2, 3, 4};
        MemorySegment parameters = MemorySegment.ofArray(flat);
        List<ModelTensor.Axis> axes = List.of(new ModelTensor.Axis(2, 1));

        new ModelTensor("a", List.of(2), 1, axes, false)
                .scatter(FloatBuffer.wrap(new float[] {8, 9}), 0, parameters);
        new ModelTensor("b", List.of(2), 2, axes, true)
                .scatter(FloatBuffer.wrap(new float[] {10, 20}), 0, parameters);

        assertThat(flat).containsExactly(1, 8, 19, 24);
        assertThat(parameters.getAtIndex(JAVA_FLOAT, 3)).isEqualTo(24);
    }
}
