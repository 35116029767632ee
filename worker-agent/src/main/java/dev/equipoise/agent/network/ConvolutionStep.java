package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Layer.Convolution;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/*
 * A convolution behind other layers. Forward is conv2d. Backward are two matrix products over the
 * patches of the input, which together take less than half the time of conv2d_bp. OpenBLAS is twice
 * as fast at the transpose of the weights' gradient (few long rows) as at the gradient itself, so
 * that is computed aside and turned round.
 */
final class ConvolutionStep implements Step {
    private final Activation input;
    private final Patches patches;
    private final Tensor weightGradient;
    private final Tensor transposedWeightGradient;
    private final Runnable convolve;
    private final Runnable multiplyTransposedWeightGradient;
    private final Runnable multiplyPatchGradient;
    private final ColumnSums biasGradient;

    ConvolutionStep(
            Arena arena, Convolution layer, Weights weights, Activation input, Activation output) {
        Stage stage = weights.stage();
        this.input = input;
        this.patches = new Patches(arena, stage, layer.kernel(), input.batch());
        this.weightGradient = weights.matrixGradient();
        this.transposedWeightGradient = Tensor.zeros(arena, stage.units(), stage.fanIn());
        Tensor rows = output.gradient().reshape(patches.count(), stage.units());
        this.convolve = Operations.convolve(layer, weights, input.value(), output.value());
        this.multiplyTransposedWeightGradient =
                Operations.multiplyLeftTransposed(rows, patches.matrix(), transposedWeightGradient);
        this.multiplyPatchGradient =
                Operations.multiplyRightTransposed(rows, weights.matrix(), patches.matrix());
        this.biasGradient = new ColumnSums(rows, weights.biasGradient());
    }

    @Override
    public void forward() {
        convolve.run();
    }

    @Override
    public void backward() {
        patches.gather(input.value().memory());
        multiplyTransposedWeightGradient.run();
        transposeWeightGradient();
        biasGradient.run();
        multiplyPatchGradient.run();
        patches.scatter(input.gradient().memory());
    }

    private void transposeWeightGradient() {
        MemorySegment from = transposedWeightGradient.memory();
        MemorySegment to = weightGradient.memory();
        long units = transposedWeightGradient.array().size(0);
        long fanIn = transposedWeightGradient.array().size(1);
        for (long i = 0; i < fanIn; i++) {
            for (long unit = 0; unit < units; unit++) {
                to.setAtIndex(
                        JAVA_FLOAT,
                        i * units + unit,
                        from.getAtIndex(JAVA_FLOAT, unit * fanIn + i));
            }
        }
    }
}
