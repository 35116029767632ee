package dev.equipoise.app.prediction;

import dev.equipoise.app.configuration.RunConfiguration;
import java.util.List;

/**
 * Test accuracies of a completed run, from which plans estimate epochs to accuracy.
 *
 * @param looks evaluations on the test set, by ascending epoch
 */
public record AccuracyHistory(RunConfiguration configuration, List<Look> looks) {

    public AccuracyHistory {
        looks = List.copyOf(looks);
    }

    /** Test accuracy after an epoch, from 0 to 1. */
    public record Look(int epoch, double accuracy) {}
}
