package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Tensor;
import java.util.List;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;

/*
 * Operations of ND4J, each bound once to the memory that it reads and writes. Which, is a matter of
 * measurement: xw_plus_b takes thirty times as long as matmul and biasadd, INDArray.mmul a multiple
 * of the matmul operation.
 */
final class Operations {

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

    /** Of every row. */
    static Runnable softmax(Tensor in, Tensor out) {
        return bind("softmax", List.of(in), List.of(out), 1);
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
