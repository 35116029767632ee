package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.network.step.Weights;

final class DenseStep implements Step {
    private final Runnable multiply;
    private final Runnable addBias;
    private final Runnable weightGradient;
    private final Runnable inputGradient;
    private final ColumnSums biasGradient;

    DenseStep(Binding binding, Operations operations) {
        Weights weights = binding.weights();
        Activation in = binding.input();
        int rows = in.rows();
        int fanIn = weights.stage().fanIn();
        Tensor source = in.value().reshape(rows, fanIn);
        Tensor result = binding.output().value().reshape(rows, weights.stage().units());
        Tensor derivative =
                binding.output().wantedGradient().reshape(rows, weights.stage().units());
        this.multiply = operations.multiply(source, weights.matrix(), result);
        this.addBias = operations.addBias(result, weights.bias());
        this.weightGradient =
                operations.multiplyLeftTransposed(source, derivative, weights.matrixGradient());
        this.biasGradient = new ColumnSums(derivative, weights.biasGradient());
        Tensor gradientOfInput = in.gradient();
        this.inputGradient =
                gradientOfInput == null
                        ? () -> {}
                        : operations.multiplyRightTransposed(
                                derivative, weights.matrix(), gradientOfInput.reshape(rows, fanIn));
    }

    @Override
    public void forward() {
        multiply.run();
        addBias.run();
    }

    @Override
    public void backward() {
        weightGradient.run();
        biasGradient.run();
        inputGradient.run();
    }
}
