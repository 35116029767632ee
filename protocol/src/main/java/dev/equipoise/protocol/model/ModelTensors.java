package dev.equipoise.protocol.model;

import dev.equipoise.protocol.model.ModelTensor.Axis;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Stage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names, shapes and layouts of a network's tensors in the convention of PyTorch. The tensors of
 * layer {@code i}, counted from 0 over all layers of the architecture, are called {@code
 * layers.i.weight} and so on:
 *
 * <ul>
 *   <li>dense: {@code weight} (units, inputs), {@code bias} (units)
 *   <li>convolution: {@code weight} (filters, channels, height, width), {@code bias} (filters)
 *   <li>embedding: {@code weight} (words, features)
 *   <li>recurrent: {@code weight_ih_l0} (units, features), {@code weight_hh_l0} (units, units),
 *       {@code bias_ih_l0} and {@code bias_hh_l0} (units); an LSTM has four times as many rows, in
 *       the order input, forget, cell, output
 * </ul>
 *
 * <p>The flat parameter vector has transposed matrices ({@link Stage}), and images have their
 * channels innermost here and outermost in PyTorch. So the first dense layer behind a flattened
 * image also has its inputs permuted, and takes what {@code torch.nn.Flatten} makes of an image
 * with the channels first.
 */
public final class ModelTensors {

    private final List<ModelTensor> tensors = new ArrayList<>();

    /** Image that was flattened and that no dense layer has taken yet. */
    private @Nullable Image flattened;

    private ModelTensors() {}

    /** Returns the tensors of a network, in the order of its layers. */
    public static List<ModelTensor> of(Architecture architecture) {
        var tensors = new ModelTensors();
        architecture.stages().forEach(tensors::add);
        return List.copyOf(tensors.tensors);
    }

    /**
     * Returns whether the scores are a flattened image, whose order is that of channels innermost;
     * {@code torch.nn.Flatten} would make another.
     */
    public static boolean endsInFlattenedImage(Architecture architecture) {
        var tensors = new ModelTensors();
        architecture.stages().forEach(tensors::add);
        return tensors.flattened != null;
    }

    private void add(Stage stage) {
        switch (stage.layer()) {
            case Dense _ -> addDense(stage);
            case Convolution convolution -> addConvolution(stage, convolution.kernel());
            case Embedding _ -> addEmbedding(stage);
            case Rnn(int units) -> addRecurrent(stage, units);
            case Lstm(int units) -> addRecurrent(stage, units);
            case Flatten _ -> {
                if (stage.input() instanceof Image image) {
                    flattened = image;
                }
            }
            case Layer.Elementwise _, Layer.MaxPool _, Layer.AveragePool _ -> {}
        }
    }

    private void addDense(Stage stage) {
        int units = stage.units();
        List<Axis> axes = new ArrayList<>();
        axes.add(new Axis(units, 1));
        if (flattened == null) {
            axes.add(new Axis(stage.fanIn(), units));
        } else {
            addPixels(axes, flattened.height(), flattened.width(), flattened.channels(), units);
            flattened = null;
        }
        add(stage, "weight", List.of(units, stage.fanIn()), stage.offset(), axes);
        addBias(stage, "bias", false);
    }

    private void addConvolution(Stage stage, int kernel) {
        int filters = stage.units();
        int channels = stage.features();
        List<Axis> axes = new ArrayList<>();
        axes.add(new Axis(filters, 1));
        addPixels(axes, kernel, kernel, channels, filters);
        List<Integer> shape = List.of(filters, channels, kernel, kernel);
        add(stage, "weight", shape, stage.offset(), axes);
        addBias(stage, "bias", false);
    }

    /** Adds the axes channel, row and column of rows that run over row, column and channel. */
    private static void addPixels(
            List<Axis> axes, int height, int width, int channels, int columns) {
        axes.add(new Axis(channels, columns));
        axes.add(new Axis(height, width * channels * columns));
        axes.add(new Axis(width, channels * columns));
    }

    private void addEmbedding(Stage stage) {
        int words = stage.fanIn();
        int features = stage.units();
        List<Axis> axes = List.of(new Axis(words, features), new Axis(features, 1));
        add(stage, "weight", List.of(words, features), stage.offset(), axes);
    }

    private void addRecurrent(Stage stage, int units) {
        int features = stage.features();
        addTransposed(stage, "weight_ih_l0", features, stage.offset());
        addTransposed(stage, "weight_hh_l0", units, stage.offset() + features * stage.units());
        addBias(stage, "bias_ih_l0", false);
        addBias(stage, "bias_hh_l0", true);
    }

    private void addTransposed(Stage stage, String name, int rows, int offset) {
        int columns = stage.units();
        List<Axis> axes = List.of(new Axis(columns, 1), new Axis(rows, columns));
        add(stage, name, List.of(columns, rows), offset, axes);
    }

    private void addBias(Stage stage, String name, boolean isAddend) {
        int units = stage.units();
        tensors.add(
                new ModelTensor(
                        name(stage, name),
                        List.of(units),
                        stage.offset() + stage.weights(),
                        List.of(new Axis(units, 1)),
                        isAddend));
    }

    private void add(Stage stage, String name, List<Integer> shape, int offset, List<Axis> axes) {
        tensors.add(new ModelTensor(name(stage, name), shape, offset, axes, false));
    }

    private static String name(Stage stage, String name) {
        return "layers.%d.%s".formatted(stage.index(), name);
    }
}
