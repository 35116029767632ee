package dev.equipoise.agent.model;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Graph of an ONNX model, a GraphProto, built node by node. */
final class OnnxGraph {

    private static final int NODE = 1;
    private static final int NAME = 2;
    private static final int INITIALIZER = 5;
    private static final int INPUT = 11;
    private static final int OUTPUT = 12;

    private static final int NODE_INPUT = 1;
    private static final int NODE_OUTPUT = 2;
    private static final int NODE_NAME = 3;
    private static final int NODE_TYPE = 4;
    private static final int NODE_ATTRIBUTE = 5;

    private static final int VALUE_NAME = 1;
    private static final int VALUE_TYPE = 2;
    private static final int TENSOR_TYPE = 1;
    private static final int ELEMENT_TYPE = 1;
    private static final int SHAPE = 2;
    private static final int DIMENSION = 1;
    private static final int DIMENSION_VALUE = 1;
    private static final int DIMENSION_NAME = 2;

    /** Name of the dimension of the samples. */
    private static final String SAMPLES = "samples";

    private final ProtoMessage fields = new ProtoMessage();
    private final List<OnnxInitializer> initializers = new ArrayList<>();
    private final Set<String> constants = new HashSet<>();

    OnnxGraph(String name) {
        fields.text(NAME, name);
    }

    /** Adds a node with one output, and returns the output's name. */
    String node(String type, String output, List<String> inputs, OnnxAttribute... attributes) {
        node(type, inputs, List.of(output), attributes);
        return output;
    }

    /** Adds a node. */
    void node(String type, List<String> inputs, List<String> outputs, OnnxAttribute... attributes) {
        var node = new ProtoMessage();
        inputs.forEach(input -> node.text(NODE_INPUT, input));
        outputs.forEach(output -> node.text(NODE_OUTPUT, output));
        node.text(NODE_NAME, outputs.getFirst()).text(NODE_TYPE, type);
        for (OnnxAttribute attribute : attributes) {
            node.message(NODE_ATTRIBUTE, attribute.toProto());
        }
        fields.message(NODE, node);
    }

    /** Adds a constant, and returns its name. */
    String constant(String name, OnnxInitializer initializer) {
        if (constants.add(name)) {
            initializers.add(initializer);
        }
        return name;
    }

    /** Adds a vector of one integer, and returns its name. */
    String integer(long value) {
        String name = "integer." + value;
        return constant(name, OnnxInitializer.integers(name, value));
    }

    /**
     * Declares the input.
     *
     * @param type of an element, such as {@link OnnxInitializer#FLOAT}
     * @param sides of a sample
     */
    void input(String name, int type, List<Integer> sides) {
        fields.message(INPUT, value(name, type, sides));
    }

    /** Declares the output. */
    void output(String name, List<Integer> sides) {
        fields.message(OUTPUT, value(name, OnnxInitializer.FLOAT, sides));
    }

    private static ProtoMessage value(String name, int type, List<Integer> sides) {
        var shape = new ProtoMessage();
        shape.message(DIMENSION, new ProtoMessage().text(DIMENSION_NAME, SAMPLES));
        sides.forEach(
                side -> shape.message(DIMENSION, new ProtoMessage().number(DIMENSION_VALUE, side)));
        var tensor = new ProtoMessage().number(ELEMENT_TYPE, type).message(SHAPE, shape);
        return new ProtoMessage()
                .text(VALUE_NAME, name)
                .message(VALUE_TYPE, new ProtoMessage().message(TENSOR_TYPE, tensor));
    }

    /** Returns the size of the GraphProto, in bytes. */
    long size() {
        return fields.size()
                + initializers.stream()
                        .mapToLong(tensor -> start(tensor).size() + tensor.size())
                        .sum();
    }

    /**
     * Writes the GraphProto.
     *
     * @param parameters flat parameter vector of the network
     */
    void write(MemorySegment parameters, OutputStream out) throws IOException {
        out.write(fields.toBytes());
        for (OnnxInitializer tensor : initializers) {
            out.write(start(tensor).toBytes());
            out.write(tensor.header().toBytes());
            tensor.data().write(parameters, out);
        }
    }

    private static ProtoMessage start(OnnxInitializer tensor) {
        return new ProtoMessage().start(INITIALIZER, tensor.size());
    }
}
