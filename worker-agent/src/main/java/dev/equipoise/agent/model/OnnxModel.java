package dev.equipoise.agent.model;

import dev.equipoise.protocol.model.InputScaling;
import dev.equipoise.protocol.model.ModelFileInvalid;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * Trained model as an ONNX file (ModelProto) of opset {@value #OPSET}. The graph takes raw values
 * {@code input}, normalizes them, and gives {@code scores}; the first dimension of both are the
 * samples. The metadata are those of the model's file.
 */
final class OnnxModel {

    static final int OPSET = 17;
    static final String INPUT = "input";
    static final String SCORES = "scores";

    /** Limit of a message of protocol buffers, in bytes. */
    private static final long MAX_BYTES = Integer.MAX_VALUE;

    private static final int FORMAT_VERSION = 8;

    private static final int IR_VERSION = 1;
    private static final int PRODUCER = 2;
    private static final int GRAPH = 7;
    private static final int OPERATORS = 8;
    private static final int METADATA = 14;
    private static final int OPERATORS_VERSION = 2;
    private static final int KEY = 1;
    private static final int VALUE = 2;

    /** All fields, up to the length of the graph, which ends the file. */
    private final ProtoMessage fields;

    private final OnnxGraph graph;

    private OnnxModel(ProtoMessage fields, OnnxGraph graph) {
        this.fields = fields;
        this.graph = graph;
    }

    /**
     * Translates a model.
     *
     * @param metadata texts by name, which the file keeps
     * @throws ModelFileInvalid if the model is too large for ONNX
     */
    static OnnxModel of(ModelDescription description, Map<String, String> metadata) {
        OnnxGraph graph = graph(description);
        ProtoMessage fields =
                new ProtoMessage()
                        .number(IR_VERSION, FORMAT_VERSION)
                        .text(PRODUCER, "Equipoise")
                        .message(OPERATORS, new ProtoMessage().number(OPERATORS_VERSION, OPSET));
        metadata.forEach((key, value) ->
                fields.message(METADATA, new ProtoMessage().text(KEY, key).text(VALUE, value)));
        fields.start(GRAPH, graph.size());
        requireFits(fields.size() + graph.size());
        return new OnnxModel(fields, graph);
    }

    private static void requireFits(long bytes) {
        if (bytes > MAX_BYTES) {
            throw new ModelFileInvalid(
                    "the model takes %d bytes, but a file of ONNX holds at most %d"
                            .formatted(bytes, MAX_BYTES));
        }
    }

    private static OnnxGraph graph(ModelDescription description) {
        Architecture architecture = description.network();
        var graph = new OnnxGraph(architecture.name());
        int type =
                architecture.input() instanceof Shape.Tokens
                        ? OnnxInitializer.INT64
                        : OnnxInitializer.FLOAT;
        graph.input(INPUT, type, ModelDescription.sides(architecture.input()));
        graph.output(SCORES, ModelDescription.sides(architecture.output()));
        var layers = new OnnxLayers(graph, architecture, INPUT);
        InputScaling.of(description.dataset())
                .ifPresent(scaling -> layers.add(scaling, architecture.input()));
        architecture.stages().forEach(layers::add);
        layers.end(SCORES);
        return graph;
    }

    /**
     * Writes the file.
     *
     * @param parameters flat parameter vector of the network, float32
     * @param out remains open
     */
    void write(MemorySegment parameters, OutputStream out) throws IOException {
        var buffered = new BufferedOutputStream(out);
        buffered.write(fields.toBytes());
        graph.write(parameters, buffered);
        buffered.flush();
    }
}
