package dev.equipoise.agent.model;

import dev.equipoise.protocol.model.InputScaling;
import dev.equipoise.protocol.model.ModelTensor;
import dev.equipoise.protocol.model.ModelTensors;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Sequence;
import dev.equipoise.protocol.network.Stage;
import dev.equipoise.protocol.network.Window;
import java.util.List;
import java.util.stream.Stream;

/**
 * Nodes of a network in ONNX. Images have their channels first, and sequences their samples first,
 * as in PyTorch; the operators for recurrent layers take the positions first.
 */
final class OnnxLayers {

    private static final long[] SWAP_SAMPLES_AND_POSITIONS = {1, 0, 2};
    private static final long[] CHANNELS_LAST = {0, 2, 3, 1};

    private final OnnxGraph graph;
    private final boolean keepsChannelsLast;

    /** Name of the last output. */
    private String last;

    /**
     * @param input name of the graph's input
     */
    OnnxLayers(OnnxGraph graph, Architecture architecture, String input) {
        this.graph = graph;
        this.keepsChannelsLast = ModelTensors.endsInFlattenedImage(architecture);
        this.last = input;
        for (ModelTensor tensor : ModelTensors.of(architecture)) {
            graph.constant(tensor.name(), OnnxInitializer.of(tensor));
        }
    }

    /** Adds the normalization of raw values. */
    void add(InputScaling scaling, Shape input) {
        if (scaling.divisor() != 1) {
            List<Double> divisor = List.of(scaling.divisor());
            combine("Div", "input.scaled", "input.divisor", List.of(1L), divisor);
        }
        if (!isAll(scaling.mean(), 0) || !isAll(scaling.deviation(), 1)) {
            List<Long> shape = channels(scaling.mean().size(), input);
            combine("Sub", "input.centered", "input.mean", shape, scaling.mean());
            combine("Div", "input.normalized", "input.deviation", shape, scaling.deviation());
        }
    }

    private void combine(
            String type, String output, String name, List<Long> shape, List<Double> values) {
        graph.constant(name, OnnxInitializer.floats(name, shape, values));
        last = graph.node(type, output, List.of(last, name));
    }

    private static boolean isAll(List<Double> values, double expected) {
        return values.stream().allMatch(value -> value == expected);
    }

    /** Returns the shape that broadcasts numbers of channels or features over samples. */
    private static List<Long> channels(long count, Shape input) {
        return input instanceof Image ? List.of(count, 1L, 1L) : List.of(count);
    }

    /** Adds a layer. */
    void add(Stage stage) {
        String name = "layers." + stage.index();
        switch (stage.layer()) {
            case Layer.Dense _ -> addDense(stage, name);
            case Convolution layer -> addConvolution(layer, name);
            case MaxPool layer -> addPool("MaxPool", layer.window(), stage, name);
            case AveragePool layer -> addPool("AveragePool", layer.window(), stage, name);
            case Layer.Relu _ -> addElementwise("Relu", name);
            case Layer.Sigmoid _ -> addElementwise("Sigmoid", name);
            case Layer.Tanh _ -> addElementwise("Tanh", name);
            case Layer.Dropout _ -> {} // Only in training.
            case Layer.Flatten _ -> addFlatten(stage, name);
            case Layer.Embedding _ ->
                    last = graph.node("Gather", name, List.of(name + ".weight", last));
            case Rnn layer -> addRecurrent("RNN", layer.units(), name);
            case Lstm layer -> addRecurrent("LSTM", layer.units(), name);
        }
    }

    /** Names the scores. */
    void end(String output) {
        last = graph.node("Identity", output, List.of(last));
    }

    private void addElementwise(String type, String name) {
        last = graph.node(type, name, List.of(last));
    }

    private void addDense(Stage stage, String name) {
        String weight = name + ".weight";
        String bias = name + ".bias";
        last =
                stage.input() instanceof Sequence
                        ? eachPosition(name, weight, bias)
                        : graph.node(
                                "Gemm",
                                name,
                                List.of(last, weight, bias),
                                OnnxAttribute.of("transB", 1));
    }

    /** Adds a dense layer over sequences, which Gemm does not take. */
    private String eachPosition(String name, String weight, String bias) {
        String transposed = graph.node("Transpose", name + ".transposed", List.of(weight));
        String product = graph.node("MatMul", name + ".product", List.of(last, transposed));
        return graph.node("Add", name, List.of(product, bias));
    }

    private void addConvolution(Convolution layer, String name) {
        last =
                graph.node(
                        "Conv",
                        name,
                        List.of(last, name + ".weight", name + ".bias"),
                        OnnxAttribute.list("kernel_shape", layer.kernel(), layer.kernel()),
                        OnnxAttribute.list("strides", layer.stride(), layer.stride()),
                        OnnxAttribute.list(
                                "pads",
                                layer.padding(),
                                layer.padding(),
                                layer.padding(),
                                layer.padding()));
    }

    /** Adds a pooling whose padding at the end is what its windows need, which rounds as ours. */
    private void addPool(String type, Window window, Stage stage, String name) {
        Image image = (Image) stage.input();
        OnnxAttribute[] attributes = {
            OnnxAttribute.list("kernel_shape", window.size(), window.size()),
            OnnxAttribute.list("strides", window.stride(), window.stride()),
            OnnxAttribute.list(
                    "pads",
                    window.padding(),
                    window.padding(),
                    paddingAtTheEnd(window, image.height()),
                    paddingAtTheEnd(window, image.width()))
        };
        last = graph.node(type, name, List.of(last), attributes);
    }

    private static int paddingAtTheEnd(Window window, int side) {
        int covered = (window.places(side) - 1) * window.stride() + window.size();
        return Math.max(0, covered - window.padding() - side);
    }

    private void addFlatten(Stage stage, String name) {
        if (stage.input() instanceof Shape.Vector) {
            return;
        }
        if (stage.input() instanceof Image && keepsChannelsLast) {
            last =
                    graph.node(
                            "Transpose",
                            name + ".transposed",
                            List.of(last),
                            OnnxAttribute.list("perm", CHANNELS_LAST));
        }
        last = graph.node("Flatten", name, List.of(last));
    }

    private void addRecurrent(String type, int units, String name) {
        boolean hasGates = type.equals("LSTM");
        String input = swapped(last, name + ".positions");
        String weight = weight(name + ".weight_ih_l0", hasGates);
        String state = weight(name + ".weight_hh_l0", hasGates);
        String bias = bias(name, hasGates);
        String states =
                graph.node(
                        type,
                        name + ".directions",
                        List.of(input, weight, state, bias),
                        OnnxAttribute.of("hidden_size", units));
        String one = graph.node("Squeeze", name + ".states", List.of(states, graph.integer(1)));
        last = swapped(one, name);
    }

    /** Joins both biases, as the operators take them. */
    private String bias(String name, boolean hasGates) {
        String byInput = inOrder(name + ".bias_ih_l0", hasGates);
        String byState = inOrder(name + ".bias_hh_l0", hasGates);
        String biases =
                graph.node(
                        "Concat",
                        name + ".biases",
                        List.of(byInput, byState),
                        OnnxAttribute.of("axis", 0));
        return graph.node("Unsqueeze", name + ".bias", List.of(biases, graph.integer(0)));
    }

    private String swapped(String input, String output) {
        return graph.node(
                "Transpose",
                output,
                List.of(input),
                OnnxAttribute.list("perm", SWAP_SAMPLES_AND_POSITIONS));
    }

    /** Adds the axis of the directions, of which there is one. */
    private String weight(String tensor, boolean hasGates) {
        return graph.node(
                "Unsqueeze",
                tensor + ".direction",
                List.of(inOrder(tensor, hasGates), graph.integer(0)));
    }

    /** Orders the gates as ONNX does: input, output, forget, cell. */
    private String inOrder(String tensor, boolean hasGates) {
        if (!hasGates) {
            return tensor;
        }
        List<String> gates =
                Stream.of("input", "forget", "cell", "output")
                        .map(gate -> tensor + "." + gate)
                        .toList();
        graph.node("Split", List.of(tensor), gates, OnnxAttribute.of("axis", 0));
        return graph.node(
                "Concat",
                tensor + ".gates",
                List.of(gates.get(0), gates.get(3), gates.get(1), gates.get(2)),
                OnnxAttribute.of("axis", 0));
    }
}
