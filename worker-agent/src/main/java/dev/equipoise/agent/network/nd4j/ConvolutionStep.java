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
 * Products of matrices over patches: a row for each place, which holds what the filter covers there.
 * conv2d_bp always computes the gradient by its input, and at a quarter of the speed of matmul.
 */
final class ConvolutionStep implements Step {
    private final Activation input;
    private final Places places;
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
        this.places = Places.of(layer.window(), binding);
        this.fanIn = weights.stage().fanIn();
        this.channels = places.input().channels();
        this.patches = Tensor.zeros(binding.arena(), places.count(), fanIn);
        int units = weights.stage().units();
        Tensor results = binding.output().value().reshape(places.count(), units);
        Tensor derivatives = binding.output().wantedGradient().reshape(places.count(), units);
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
        Tensor wanted = input.gradient();
        if (wanted != null) {
            patchGradient.run();
            scatter(Floats.of(wanted));
        }
    }

    /** What lies beyond the border is zero, and what the last backward left is overwritten. */
    private void gather() {
        MemorySegment from = input.value().memory();
        MemorySegment to = patches.memory();
        if (places.window().padding() > 0) {
            to.fill((byte) 0);
        }
        for (int place = 0; place < places.count(); place++) {
            long patch = (long) place * fanIn;
            places.forEachPixel(
                    place,
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

    /** The sum, at each pixel, of all that the patches hold of it. */
    private void scatter(Floats gradient) {
        gradient.clear();
        Floats from = Floats.of(patches);
        for (int place = 0; place < places.count(); place++) {
            int patch = place * fanIn;
            places.forEachPixel(
                    place,
                    (pixel, tap) -> {
                        for (int channel = 0; channel < channels; channel++) {
                            gradient.add(pixel + channel, from.get(patch + tap + channel));
                        }
                    });
        }
    }
}
