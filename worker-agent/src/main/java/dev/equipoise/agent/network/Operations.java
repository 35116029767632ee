package dev.equipoise.agent.network;

import dev.equipoise.agent.network.Layer.Convolution;
import dev.equipoise.agent.network.Layer.MaxPool;
import java.util.List;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;

/*
 * The operations of ND4J that the steps are made of, each bound once to the memory that it reads
 * and writes. Which operations, and with which arguments, is a matter of measurement: xw_plus_b
 * takes thirty times as long as matmul and biasadd, INDArray.mmul a multiple of the matmul
 * operation, and NCHW a multiple of NHWC. conv2d_bp always computes the gradient by its input and
 * runs at a quarter of the speed of matmul.
 */
final class Operations {
    private static final int NHWC = 1;
    private static final int FILTERS_HEIGHT_WIDTH_IN_OUT = 0;

    private Operations() {}

    /** out = left right */
    static Runnable multiply(Tensor left, Tensor right, Tensor out) {
        return bind("matmul", List.of(left, right), List.of(out), 0, 0, 0);
    }

    /** out = left^T right */
    static Runnable multiplyLeftTransposed(Tensor left, Tensor right, Tensor out) {
        return bind("matmul", List.of(left, right), List.of(out), 1, 0, 0);
    }

    /** out = left right^T */
    static Runnable multiplyRightTransposed(Tensor left, Tensor right, Tensor out) {
        return bind("matmul", List.of(left, right), List.of(out), 0, 1, 0);
    }

    static Runnable addBias(Tensor rows, Tensor bias) {
        return bind("biasadd", List.of(rows, bias), List.of(rows), 0);
    }

    /** Arguments: kernel, stride, padding, dilation, no "same" padding, layouts. */
    static Runnable convolve(Convolution layer, Weights weights, Tensor in, Tensor out) {
        int k = layer.kernel();
        Tensor filters = weights.weights(k, k, weights.stage().input().channels(), layer.filters());
        return bind(
                "conv2d",
                List.of(in, filters, weights.bias()),
                List.of(out),
                new int[] {k, k, 1, 1, 0, 0, 1, 1, 0, NHWC, FILTERS_HEIGHT_WIDTH_IN_OUT});
    }

    static Runnable pool(MaxPool layer, Tensor in, Tensor out) {
        return bind("maxpool2d", List.of(in), List.of(out), arguments(layer));
    }

    static Runnable poolBackward(MaxPool layer, Tensor in, Tensor outGradient, Tensor inGradient) {
        return bind(
                "maxpool2d_bp", List.of(in, outGradient), List.of(inGradient), arguments(layer));
    }

    /** Window, stride, padding, dilation, no "same" padding, an unused one, layout. */
    private static int[] arguments(MaxPool layer) {
        int k = layer.size();
        return new int[] {k, k, k, k, 0, 0, 1, 1, 0, 1, NHWC};
    }

    private static Runnable bind(
            String name, List<Tensor> inputs, List<Tensor> outputs, int... arguments) {
        DynamicCustomOp operation =
                DynamicCustomOp.builder(name)
                        .addInputs(arrays(inputs))
                        .addOutputs(arrays(outputs))
                        .addIntegerArguments(arguments)
                        .build();
        return () -> Nd4j.exec(operation);
    }

    private static INDArray[] arrays(List<Tensor> tensors) {
        return tensors.stream().map(Tensor::array).toArray(INDArray[]::new);
    }
}
