package dev.equipoise.app.compare;

import dev.equipoise.app.configuration.ComparedAccuracy;
import org.jspecify.annotations.Nullable;

/**
 * Criterion of a comparison.
 *
 * @param compared the accuracy that differences, rankings and times to accuracy refer to
 * @param target this accuracy, from 0 to 1, of the times to accuracy; null without a target
 */
record Criterion(ComparedAccuracy compared, @Nullable Double target) {

    /** Returns the compared one of two accuracies. */
    @Nullable Double of(@Nullable Double mean, @Nullable Double replicas) {
        return switch (compared) {
            case MEAN -> mean;
            case REPLICAS -> replicas;
        };
    }

    /** Returns the name of the compared accuracy among the figures. */
    String figure() {
        return switch (compared) {
            case MEAN -> "finalAccuracy";
            case REPLICAS -> "replicaAccuracy";
        };
    }
}
