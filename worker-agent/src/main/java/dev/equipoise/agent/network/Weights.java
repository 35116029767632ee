package dev.equipoise.agent.network;

/** A stage's part of the flat parameter vector and of the flat gradient, as views. */
record Weights(Stage stage, Tensor parameters, Tensor gradient) {

    Tensor bias() {
        return parameters.view(stage.offset() + stage.weights(), stage.units());
    }

    Tensor biasGradient() {
        return gradient.view(stage.offset() + stage.weights(), stage.units());
    }

    /** Rows by units, as a dense layer sees its weights. */
    Tensor matrix() {
        return weights(stage.fanIn(), stage.units());
    }

    Tensor matrixGradient() {
        return gradient.view(stage.offset(), stage.fanIn(), stage.units());
    }

    Tensor weights(long... shape) {
        return parameters.view(stage.offset(), shape);
    }

    Tensor weightsAndBias() {
        return weights(stage.fanIn() + 1, stage.units());
    }

    Tensor weightAndBiasGradient() {
        return gradient.view(stage.offset(), stage.fanIn() + 1, stage.units());
    }
}
