package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.protocol.network.Layer.Dropout;
import java.lang.foreign.MemorySegment;

/**
 * Inverted dropout: each training step draws which values pass, and scales them by 1 / (1 - rate).
 */
final class DropoutStep implements Step {
    private final float rate;
    private final Activation input;
    private final Activation output;
    private final SplitMix64 draws;
    private final float[] factors;

    DropoutStep(Dropout layer, Activation input, Activation output, SplitMix64 draws) {
        this.rate = (float) layer.rate();
        this.input = input;
        this.output = output;
        this.draws = draws;
        this.factors = new float[input.value().length()];
    }

    @Override
    public void forward() {
        float scale = 1 / (1 - rate);
        for (int i = 0; i < factors.length; i++) {
            factors[i] = draws.uniform() < rate ? 0 : scale;
        }
        multiply(input.value(), output.value());
    }

    @Override
    public void infer() {
        output.value().memory().copyFrom(input.value().memory());
    }

    @Override
    public void backward() {
        Tensor gradient = input.gradient();
        if (gradient != null) {
            multiply(output.wantedGradient(), gradient);
        }
    }

    private void multiply(Tensor from, Tensor to) {
        MemorySegment source = from.memory();
        MemorySegment target = to.memory();
        for (int i = 0; i < factors.length; i++) {
            target.setAtIndex(JAVA_FLOAT, i, source.getAtIndex(JAVA_FLOAT, i) * factors[i]);
        }
    }
}
