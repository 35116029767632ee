package dev.equipoise.agent.network.step;

import dev.equipoise.protocol.network.Stage;

/** A stage's part of the flat parameter vector and of the flat gradient, as views. */
public record Weights(Stage stage, Tensor parameters, Tensor gradient) {

    public Tensor bias() {
        return parameters.view(stage.offset() + stage.weights(), stage.biases());
    }

    public Tensor biasGradient() {
        return gradient.view(stage.offset() + stage.weights(), stage.biases());
    }

    /** Rows by columns, as the stage describes them. */
    public Tensor matrix() {
        return rows(0, stage.fanIn());
    }

    public Tensor matrixGradient() {
        return rowsOfGradient(0, stage.fanIn());
    }

    /** Some rows of the matrix. */
    public Tensor rows(int from, int count) {
        return parameters.view(at(from), count, stage.units());
    }

    public Tensor rowsOfGradient(int from, int count) {
        return gradient.view(at(from), count, stage.units());
    }

    private long at(int row) {
        return stage.offset() + (long) row * stage.units();
    }
}
