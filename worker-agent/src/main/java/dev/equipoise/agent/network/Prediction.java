package dev.equipoise.agent.network;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Compiler;

/** The end of a program: what the scores are worth, given the labels. */
sealed interface Prediction permits SoftmaxCrossEntropy, SquaredError {

    static Prediction of(Objective objective, Activation scores, Compiler compiler) {
        float scale =
                switch (objective.loss().reduction()) {
                    case MEAN -> 1f / scores.rows();
                    case SUM -> 1;
                };
        return switch (objective.loss().kind()) {
            case SOFTMAX_CROSS_ENTROPY -> new SoftmaxCrossEntropy(scores, scale, compiler);
            case SQUARED_ERROR -> new SquaredError(scores, scale, objective.targets());
        };
    }

    /**
     * Writes the gradient by the scores.
     *
     * @param labels one a row of the scores
     * @return the mean loss of a row
     */
    double gradient(int[] labels);

    Score score(int[] labels);
}
