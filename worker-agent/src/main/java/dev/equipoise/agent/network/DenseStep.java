package dev.equipoise.agent.network;

final class DenseStep implements Step {
    private final Runnable multiply;
    private final Runnable addBias;
    private final Runnable weightGradient;
    private final Runnable inputGradient;
    private final ColumnSums biasGradient;

    DenseStep(Weights weights, Activation input, Activation output, boolean first) {
        int batch = input.batch();
        int fanIn = weights.stage().fanIn();
        int units = weights.stage().units();
        Activation in = input.matrix(batch, fanIn);
        Activation out = output.matrix(batch, units);
        Tensor matrix = weights.matrix();
        this.multiply = Operations.multiply(in.value(), matrix, out.value());
        this.addBias = Operations.addBias(out.value(), weights.bias());
        this.weightGradient =
                Operations.multiplyLeftTransposed(
                        in.value(), out.gradient(), weights.matrixGradient());
        // Nobody asks for the gradient by the samples.
        this.inputGradient =
                first
                        ? () -> {}
                        : Operations.multiplyRightTransposed(out.gradient(), matrix, in.gradient());
        this.biasGradient = new ColumnSums(out.gradient(), weights.biasGradient());
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
