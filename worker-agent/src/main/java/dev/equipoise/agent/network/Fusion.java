package dev.equipoise.agent.network;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rearranges layers into a cheaper program with the same function and gradients. A max pool and a
 * ReLU commute, and pooling first leaves the ReLU less to do; gradients agree, since a maximum of 0
 * passes none. A backend that applies a ReLU at no cost while it writes a layer's output does so
 * there, also with a pool in between.
 *
 * @param fused as in a binding
 */
record Fusion(Stage stage, boolean fused) {

    static List<Fusion> of(Architecture architecture, boolean fusesRelu) {
        List<Layer> layers = poolingBeforeRelu(architecture.layers());
        List<Fusion> plan = new ArrayList<>();
        Shape shape = architecture.input();
        int offset = 0;
        for (int i = 0; i < layers.size(); i++) {
            Layer layer = layers.get(i);
            Stage stage = new Stage(i, layer, shape, layer.output(shape), offset);
            plan.add(new Fusion(stage, fusesRelu && isFused(layers, i)));
            shape = stage.output();
            offset = stage.end();
        }
        return plan;
    }

    private static List<Layer> poolingBeforeRelu(List<Layer> layers) {
        List<Layer> reordered = new ArrayList<>(layers);
        for (int i = 1; i < reordered.size(); i++) {
            if (reordered.get(i) instanceof MaxPool && reordered.get(i - 1) instanceof Relu) {
                Collections.swap(reordered, i - 1, i);
            }
        }
        return reordered;
    }

    private static boolean isFused(List<Layer> layers, int index) {
        return switch (layers.get(index)) {
            case Dense _, Convolution _ -> reluFollows(layers.subList(index + 1, layers.size()));
            case Relu _ -> fusableLayerPrecedes(layers.subList(0, index).reversed());
            default -> false;
        };
    }

    /** Returns whether a ReLU follows, apart from pools. */
    private static boolean reluFollows(List<Layer> following) {
        return following.stream()
                .filter(layer -> !(layer instanceof MaxPool))
                .findFirst()
                .filter(Relu.class::isInstance)
                .isPresent();
    }

    /** Returns whether a layer that can apply a ReLU precedes, apart from pools. */
    private static boolean fusableLayerPrecedes(List<Layer> preceding) {
        return preceding.stream()
                .filter(layer -> !(layer instanceof MaxPool))
                .findFirst()
                .filter(layer -> layer instanceof Dense || layer instanceof Convolution)
                .isPresent();
    }
}
