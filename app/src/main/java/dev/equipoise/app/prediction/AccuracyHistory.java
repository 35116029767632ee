package dev.equipoise.app.prediction;

import dev.equipoise.app.configuration.RunConfiguration;
import java.util.List;

/**
 * Test accuracies of a completed run, from which plans estimate epochs to accuracy.
 *
 * @param points evaluations on the test set, by ascending epoch
 */
public record AccuracyHistory(RunConfiguration configuration, List<AccuracyPoint> points) {

    public AccuracyHistory {
        points = List.copyOf(points);
    }

    /** Test accuracy after an epoch, from 0 to 1. */
    public record AccuracyPoint(int epoch, double accuracy) {}
}
