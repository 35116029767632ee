package dev.equipoise.protocol.network;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Sequence;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Architecture of a network: a list of layers that fit one another, without weights.
 *
 * @param name name, unique: equal names mean equal networks
 * @param input shape of one sample
 * @param layers layers from the input to the output
 */
public record Architecture(String name, Shape input, List<Layer> layers) {

    /** Number of layers of a perceptron: hidden layer, sigmoids, output layer. */
    private static final int PERCEPTRON = 3;

    /**
     * Checks that every layer accepts the output of the one before it.
     *
     * @throws LayerMismatch for the first layer that does not
     */
    public Architecture {
        layers = List.copyOf(layers);
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("a network has 0 layers: at least 1");
        }
        Shape last = stages(input, layers).getLast().output();
        if (last instanceof Image || last instanceof Tokens) {
            throw new LayerMismatch(
                    layers.size() - 1,
                    "the last layer must end in scores, a vector or a sequence, but ends in "
                            + last);
        }
    }

    /**
     * Creates an architecture whose name is derived from its kind, input and layers, so that equal
     * ones share a name.
     */
    public static Architecture of(String kind, Shape input, List<Layer> layers) {
        String digest = Digest.of(input + " " + layers);
        return new Architecture(kind + "-" + digest, input, layers);
    }

    /** Returns the output shape: scores, at one or several positions. */
    @JsonIgnore
    public Shape output() {
        return stages().getLast().output();
    }

    /** Returns the number of scores at each position. */
    @JsonIgnore
    public int scores() {
        return output().size() / positions();
    }

    /** Returns whether the network begins with an embedding and ends in one score per word. */
    @JsonIgnore
    public boolean isLanguageModel() {
        return input instanceof Tokens(int _, int vocabulary)
                && layers.getFirst() instanceof Layer.Embedding
                && layers.getLast() instanceof Layer.Dense(int units)
                && units == vocabulary;
    }

    /**
     * Returns the number of hidden units of a perceptron with one hidden layer of sigmoids; empty
     * for all other networks.
     */
    @JsonIgnore
    public OptionalInt sigmoidUnits() {
        List<Layer> own =
                layers.getFirst() instanceof Layer.Flatten
                        ? layers.subList(1, layers.size())
                        : layers;
        boolean isPerceptron =
                (own.size() == PERCEPTRON
                                || (own.size() == PERCEPTRON + 1
                                        && own.getLast() instanceof Layer.Sigmoid))
                        && own.get(0) instanceof Layer.Dense
                        && own.get(1) instanceof Layer.Sigmoid
                        && own.get(2) instanceof Layer.Dense
                        && output() instanceof Shape.Vector;
        return isPerceptron && own.get(0) instanceof Layer.Dense(int units)
                ? OptionalInt.of(units)
                : OptionalInt.empty();
    }

    /** Returns the number of predictions per sample. */
    @JsonIgnore
    public int positions() {
        return output() instanceof Sequence sequence ? sequence.length() : 1;
    }

    @JsonIgnore
    public int parameterCount() {
        return stages().getLast().end();
    }

    /** Returns the layers with their shapes and offsets, first to last. */
    @JsonIgnore
    public List<Stage> stages() {
        return stages(input, layers);
    }

    private static List<Stage> stages(Shape input, List<Layer> layers) {
        List<Stage> stages = new ArrayList<>(layers.size());
        Shape shape = input;
        int offset = 0;
        for (int index = 0; index < layers.size(); index++) {
            Stage stage = stage(index, layers.get(index), shape, offset);
            stages.add(stage);
            shape = stage.output();
            offset = stage.end();
        }
        return stages;
    }

    private static Stage stage(int index, Layer layer, Shape input, int offset) {
        try {
            Stage stage = new Stage(index, layer, input, layer.output(input), offset);
            stage.end();
            return stage;
        } catch (IllegalArgumentException e) {
            throw LayerMismatch.of(index, layer, input, e);
        }
    }
}
