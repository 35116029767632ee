package dev.equipoise.app.prediction;

import dev.equipoise.protocol.RunId;
import java.util.UUID;

/**
 * Predicted and measured epoch time of a completed run, in seconds above 0.
 *
 * @param modelSeconds by the time model alone
 * @param predictedSeconds by the corrected prediction
 * @param measuredSeconds median over the epochs
 */
public record PredictionOutcome(
        RunId run,
        UUID project,
        PredictionClass kind,
        double modelSeconds,
        double predictedSeconds,
        double measuredSeconds) {

    public PredictionOutcome {
        if (!(modelSeconds > 0) || !(predictedSeconds > 0) || !(measuredSeconds > 0)) {
            throw new IllegalArgumentException(
                    "an epoch must take more than 0 s, but modeled, predicted and measured are"
                            + " %s, %s and %s s"
                                    .formatted(modelSeconds, predictedSeconds, measuredSeconds));
        }
    }

    /** Returns the relative error, (predicted - measured) / measured. */
    public double error() {
        return (predictedSeconds - measuredSeconds) / measuredSeconds;
    }

    /** Returns the factor that corrects the time model, measured / modeled. */
    public double ratio() {
        return measuredSeconds / modelSeconds;
    }
}
