package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.network.step.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;

/*
 * Operations of ND4J, each bound once to the memory that it reads and writes. Measurements decided
 * the selection: xw_plus_b takes thirty times as long as matmul and biasadd, and INDArray.mmul
 * several times as long as the matmul operation.
 */
final class Operations implements AutoCloseable {
    private final Function<Tensor, Operand> binding;
    private final List<Operand> operands = new ArrayList<>();

    Operations(Device device) {
        this(tensor -> Operand.on(device, tensor));
    }

    Operations(Function<Tensor, Operand> binding) {
        this.binding = binding;
    }

    /** Returns an operation that computes out = left right. */
    Runnable multiply(Tensor left, Tensor right, Tensor out) {
        return bind("matmul", List.of(left, right), out, 0, 0, 0);
    }

    /** Returns an operation that computes out = left^T right. */
    Runnable multiplyLeftTransposed(Tensor left, Tensor right, Tensor out) {
        return bind("matmul", List.of(left, right), out, 1, 0, 0);
    }

    /** Returns an operation that computes out = left right^T. */
    Runnable multiplyRightTransposed(Tensor left, Tensor right, Tensor out) {
        return bind("matmul", List.of(left, right), out, 0, 1, 0);
    }

    Runnable addBias(Tensor rows, Tensor bias) {
        return bind("biasadd", List.of(rows, bias), rows, 0);
    }

    /** Returns an operation that computes the softmax of every row. */
    Runnable softmax(Tensor in, Tensor out) {
        return bind("softmax", List.of(in), out, 1);
    }

    /** Binds an operation; all copies between host and device happen here. */
    private Runnable bind(String name, List<Tensor> inputs, Tensor output, int... arguments) {
        List<Operand> sources = inputs.stream().map(this::operand).toList();
        Operand result = operand(output);
        DynamicCustomOp operation =
                DynamicCustomOp.builder(name)
                        .addInputs(sources.stream().map(Operand::array).toArray(INDArray[]::new))
                        .addOutputs(result.array())
                        .addIntegerArguments(arguments)
                        .build();
        return () -> {
            for (int i = 0; i < sources.size(); i++) {
                sources.get(i).send();
            }
            Nd4j.exec(operation);
            result.fetch();
        };
    }

    private Operand operand(Tensor tensor) {
        Operand operand = binding.apply(tensor);
        operands.add(operand);
        return operand;
    }

    @Override
    public void close() {
        operands.forEach(Operand::close);
        operands.clear();
    }
}
