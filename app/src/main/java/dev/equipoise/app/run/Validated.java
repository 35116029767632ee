package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.util.UUID;

/**
 * A completed run whose epochs were predicted; all seconds are greater than 0.
 *
 * @param modelSeconds of an epoch by the time model alone
 * @param predictedSeconds as they were told
 * @param measuredSeconds median over the epochs
 */
public record Validated(
        RunId run,
        UUID project,
        RunKind kind,
        double modelSeconds,
        double predictedSeconds,
        double measuredSeconds) {

    public Validated {
        if (!(modelSeconds > 0) || !(predictedSeconds > 0) || !(measuredSeconds > 0)) {
            throw new IllegalArgumentException(
                    "an epoch must take time, but was said to take %s, %s and took %s s"
                            .formatted(modelSeconds, predictedSeconds, measuredSeconds));
        }
    }

    /** (predicted - measured) / measured. */
    public double error() {
        return (predictedSeconds - measuredSeconds) / measuredSeconds;
    }

    /** By what the time model must be multiplied to be right. */
    public double ratio() {
        return measuredSeconds / modelSeconds;
    }
}
