package dev.equipoise.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Score of a trained model on the test set.
 *
 * @param epoch epoch after which it was evaluated, from 1
 * @param accuracy test accuracy, from 0 to 1
 * @param loss mean over the predictions, at least 0
 */
public record ModelScore(int epoch, double accuracy, double loss) {

    public ModelScore {
        Rules.atLeast("epoch", epoch, 1);
        Rules.between("accuracy", accuracy, 0, 1);
        Rules.atLeast("loss", loss, 0.0);
    }

    /**
     * Tells whether this score is better than another; of two equal ones the earlier is better.
     *
     * @param other null if there is none
     */
    public boolean isBetterThan(@Nullable ModelScore other, ModelKeeping.Criterion by) {
        if (other == null) {
            return true;
        }
        return switch (by) {
            case LOSS -> loss < other.loss;
            case ACCURACY ->
                    accuracy > other.accuracy || (accuracy == other.accuracy && loss < other.loss);
        };
    }
}
