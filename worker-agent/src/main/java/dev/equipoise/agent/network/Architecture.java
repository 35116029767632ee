package dev.equipoise.agent.network;

import dev.equipoise.agent.network.Layer.Convolution;
import dev.equipoise.agent.network.Layer.Dense;
import dev.equipoise.agent.network.Layer.MaxPool;
import dev.equipoise.agent.network.Layer.Relu;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A classifier before it has weights: layers that fit each other and end in one score a class. */
public record Architecture(String name, Shape input, List<Layer> layers) {

    public Architecture {
        layers = List.copyOf(layers);
        Shape scores = input;
        for (int index = 0; index < layers.size(); index++) {
            scores = follow(name, index, layers.get(index), scores);
        }
        if (layers.isEmpty() || !scores.isVector()) {
            throw new IllegalArgumentException(
                    "network %s must end in a vector of scores, but ends in %s"
                            .formatted(name, scores));
        }
    }

    public static Architecture preset(String name) {
        return switch (name) {
            case "mnist-cnn" -> mnistCnn();
            default ->
                    throw new IllegalArgumentException(
                            "network preset must be one of [mnist-cnn], but was " + name);
        };
    }

    /** Moreno-Álvarez et al., table II; unpadded. */
    private static Architecture mnistCnn() {
        return new Architecture(
                "mnist-cnn",
                new Shape(28, 28, 1),
                List.of(
                        new Convolution(20, 5),
                        new Relu(),
                        new MaxPool(2),
                        new Convolution(50, 5),
                        new Relu(),
                        new MaxPool(2),
                        new Dense(500),
                        new Relu(),
                        new Dense(10)));
    }

    public int classes() {
        return stages().getLast().output().size();
    }

    public int parameterCount() {
        return stages().getLast().end();
    }

    List<Stage> stages() {
        List<Stage> stages = new ArrayList<>(layers.size());
        Shape shape = input;
        int offset = 0;
        for (Layer layer : layers) {
            Stage stage = new Stage(layer, shape, layer.output(shape), offset);
            stages.add(stage);
            shape = stage.output();
            offset = stage.end();
        }
        return stages;
    }

    /**
     * The same function, cheaper: both keep order, so they may change places, and a pool leaves the
     * ReLU behind it less to do. Gradients agree as well, since a maximum of 0 passes none.
     */
    Architecture poolingBeforeRelu() {
        List<Layer> reordered = new ArrayList<>(layers);
        for (int i = 1; i < reordered.size(); i++) {
            if (reordered.get(i) instanceof MaxPool && reordered.get(i - 1) instanceof Relu) {
                Collections.swap(reordered, i - 1, i);
            }
        }
        return new Architecture(name, input, reordered);
    }

    private static Shape follow(String name, int index, Layer layer, Shape input) {
        try {
            return layer.output(input);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "network %s, layer %d: %s cannot follow %s: %s"
                            .formatted(name, index, layer, input, e.getMessage()),
                    e);
        }
    }
}
