package dev.equipoise.protocol.network;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Sequence;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A network before it has weights: layers that fit each other.
 *
 * @param name tells architectures apart: equal names are equal networks
 * @param input of one sample
 */
public record Architecture(String name, Shape input, List<Layer> layers) {

    /** Layers of a perceptron: the hidden one, its sigmoids, and the sums behind them. */
    private static final int PERCEPTRON = 3;

    /**
     * Checks that every layer can take what the one before it makes.
     *
     * @throws LayerMismatch that names the first layer that cannot
     */
    public Architecture {
        layers = List.copyOf(layers);
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("a network needs at least one layer");
        }
        Shape last = stages(input, layers).getLast().output();
        if (last instanceof Image || last instanceof Tokens) {
            throw new LayerMismatch(
                    layers.size() - 1,
                    "the last layer must end in scores, a vector or a sequence, but ends in "
                            + last);
        }
    }

    /** An architecture named after its kind and its layers, so that equal ones share a name. */
    public static Architecture of(String kind, Shape input, List<Layer> layers) {
        String digest = Digest.of(input + " " + layers);
        return new Architecture(kind + "-" + digest, input, layers);
    }

    /** What the network makes of a sample: scores, at one or at several positions. */
    @JsonIgnore
    public Shape output() {
        return stages().getLast().output();
    }

    /** Scores at each position. */
    @JsonIgnore
    public int scores() {
        return output().size() / positions();
    }

    /** Whether it begins with an embedding and ends in a score for each word. */
    @JsonIgnore
    public boolean isLanguageModel() {
        return input instanceof Tokens(int _, int vocabulary)
                && layers.getFirst() instanceof Layer.Embedding
                && layers.getLast() instanceof Layer.Dense(int units)
                && units == vocabulary;
    }

    /**
     * The units of the hidden layer of a perceptron that has one alone, of sigmoids; empty of all
     * other networks.
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

    /** How many predictions a sample asks for. */
    @JsonIgnore
    public int positions() {
        return output() instanceof Sequence sequence ? sequence.length() : 1;
    }

    @JsonIgnore
    public int parameterCount() {
        return stages().getLast().end();
    }

    /** The layers in their places, first to last. */
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
