package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Dropout;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Layer.Sigmoid;
import dev.equipoise.protocol.network.Layer.Tanh;

/** Compiles layers into ND4J operations and loops; ND4J and the arena own the memory. */
final class Nd4jCompiler implements Compiler {
    private final Operations operations;

    Nd4jCompiler(Device device) {
        this.operations = new Operations(device);
    }

    @Override
    public boolean fusesRelu() {
        return false;
    }

    @Override
    public Step step(Binding binding) {
        return switch (binding.layer()) {
            case Convolution layer -> new ConvolutionStep(layer, binding, operations);
            case Dense _ -> new DenseStep(binding, operations);
            case MaxPool layer ->
                    new MaxPoolStep(WindowPositions.of(layer.window(), binding), binding);
            case AveragePool layer ->
                    new AveragePoolStep(WindowPositions.of(layer.window(), binding), binding);
            case Relu _ -> new ElementwiseStep(binding, ActivationFunction.RELU);
            case Sigmoid _ -> new ElementwiseStep(binding, ActivationFunction.SIGMOID);
            case Tanh _ -> new ElementwiseStep(binding, ActivationFunction.TANH);
            case Rnn _ -> new RnnStep(binding, operations);
            case Lstm(int units) -> new LstmStep(binding, units, operations);
            case Dropout _, Flatten _, Embedding _ ->
                    throw new IllegalArgumentException(
                            "ND4J has no operation for " + binding.layer());
        };
    }

    @Override
    public Runnable softmax(Tensor scores, Tensor out, float factor) {
        Runnable softmax = operations.softmax(scores, out);
        Floats probabilities = Floats.of(out);
        int count = out.length();
        return () -> {
            softmax.run();
            for (int i = 0; i < count; i++) {
                probabilities.set(i, factor * probabilities.get(i));
            }
        };
    }

    @Override
    public Runnable multiply(Tensor left, Tensor right, Tensor out) {
        return operations.multiply(left, right, out);
    }

    @Override
    public void close() {
        operations.close();
    }
}
