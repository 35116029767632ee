package dev.equipoise.agent.network.step;

import dev.equipoise.protocol.network.Layer;
import java.lang.foreign.Arena;

/**
 * Layer with the memory on which it works.
 *
 * @param arena provides further memory for the step
 * @param output the same memory as the input if the layer may work in place
 * @param fused for a dense layer or a convolution: it applies the following ReLU; for a ReLU: the
 *     layer before has applied it
 */
public record Binding(
        Arena arena, Weights weights, Activation input, Activation output, boolean fused) {

    public Layer layer() {
        return weights.stage().layer();
    }
}
