package dev.equipoise.agent.network.nd4j;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.network.step.Weights;
import dev.equipoise.protocol.network.Layer.Convolution;
import java.lang.foreign.MemorySegment;

/*
 * Convolution as matrix products over patches (im2col): one row for each window, with the input
 * values that the filter covers there. ND4J's conv2d_bp would always compute the gradient by the
 * input, and at a quarter of the speed of matmul.
 */
final class ConvolutionStep implements Step {
    private final Activation input;
    private final WindowPositions windows;
    private final Tensor patches;
    private final int fanIn;
    private final int channels;
    private final Runnable multiply;
    private final Runnable addBias;
    private final Runnable weightGradient;
    private final Runnable patchGradient;
    private final ColumnSums biasGradient;

    ConvolutionStep(Convolution layer, Binding binding, Operations operations) {
        Weights weights = binding.weights();
        this.input = binding.input();
        this.windows = WindowPositions.of(layer.window(), binding);
        this.fanIn = weights.stage().fanIn();
        this.channels = windows.input().channels();
        this.patches = Tensor.zeros(binding.arena(), windows.count(), fanIn);
        int units = weights.stage().units();
        Tensor results = binding.output().value().reshape(windows.count(), units);
        Tensor derivatives = binding.output().wantedGradient().reshape(windows.count(), units);
        this.multiply = operations.multiply(patches, weights.matrix(), results);
        this.addBias = operations.addBias(results, weights.bias());
        this.weightGradient =
                operations.multiplyLeftTransposed(patches, derivatives, weights.matrixGradient());
        this.biasGradient = new ColumnSums(derivatives, weights.biasGradient());
        this.patchGradient =
                operations.multiplyRightTransposed(derivatives, weights.matrix(), patches);
    }

    @Override
    public void forward() {
        gather();
        multiply.run();
        addBias.run();
    }

    @Override
    public void backward() {
        weightGradient.run();
        biasGradient.run();
        Tensor inputGradient = input.gradient();
        if (inputGradient != null) {
            patchGradient.run();
            scatter(Floats.of(inputGradient));
        }
    }

    /**
     * Copies the input into the patches; padding is zero, and values of the last backward pass are
     * overwritten.
     */
    private void gather() {
        MemorySegment from = input.value().memory();
        MemorySegment to = patches.memory();
        if (windows.window().padding() > 0) {
            to.fill((byte) 0);
        }
        for (int window = 0; window < windows.count(); window++) {
            long patch = (long) window * fanIn;
            windows.forEachPixel(
                    window,
                    (pixel, tap) ->
                            MemorySegment.copy(
                                    from,
                                    JAVA_FLOAT,
                                    4L * pixel,
                                    to,
                                    JAVA_FLOAT,
                                    4 * (patch + tap),
                                    channels));
        }
    }

    /** Sums the values of the patches at each input pixel. */
    private void scatter(Floats gradient) {
        gradient.clear();
        Floats from = Floats.of(patches);
        for (int window = 0; window < windows.count(); window++) {
            int patch = window * fanIn;
            windows.forEachPixel(
                    window,
                    (pixel, tap) -> {
                        for (int channel = 0; channel < channels; channel++) {
                            gradient.add(pixel + channel, from.get(patch + tap + channel));
                        }
                    });
        }
    }
}
