package dev.equipoise.agent.network.step;

import dev.equipoise.protocol.network.Layer;
import java.lang.foreign.Arena;

/**
 * A layer with the memory that it is to work on.
 *
 * @param arena for what the step needs besides
 * @param output the same memory as the input where the layer may work in place
 * @param fused for a dense layer or a convolution, that it applies the ReLU that follows; for a
 *     ReLU, that the layer before has done so
 */
public record Binding(
        Arena arena, Weights weights, Activation input, Activation output, boolean fused) {

    public Layer layer() {
        return weights.stage().layer();
    }
}
