package dev.equipoise.agent.network.step;

import dev.equipoise.protocol.network.Stage;

/** Views of a stage's part of the flat parameter vector and of the flat gradient. */
public record Weights(Stage stage, Tensor parameters, Tensor gradient) {

    public Tensor bias() {
        return parameters.view(stage.offset() + stage.weights(), stage.biases());
    }

    public Tensor biasGradient() {
        return gradient.view(stage.offset() + stage.weights(), stage.biases());
    }

    /** Returns the weight matrix, with the rows and columns of the stage. */
    public Tensor matrix() {
        return rows(0, stage.fanIn());
    }

    public Tensor matrixGradient() {
        return rowsOfGradient(0, stage.fanIn());
    }

    /** Returns some rows of the weight matrix. */
    public Tensor rows(int from, int count) {
        return parameters.view(offset(from), count, stage.units());
    }

    public Tensor rowsOfGradient(int from, int count) {
        return gradient.view(offset(from), count, stage.units());
    }

    private long offset(int row) {
        return stage.offset() + (long) row * stage.units();
    }
}
