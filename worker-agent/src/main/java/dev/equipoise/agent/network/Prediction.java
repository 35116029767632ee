package dev.equipoise.agent.network;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Compiler;

/** Last stage of a program, which compares the scores with the labels. */
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
     * @param labels one for each row of the scores
     * @return mean loss of a row
     */
    double gradient(int[] labels);

    Score score(int[] labels);
}
