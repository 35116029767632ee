package dev.equipoise.app.run;

import dev.equipoise.app.configuration.StoredExperiment;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Version of an experiment that a run came from.
 *
 * @param position configuration of the version, from 0
 * @param label run label; null in runs of earlier versions of the service until they are labeled
 */
@Embeddable
record RunOrigin(
        UUID experimentId,
        String experimentName,
        int experimentVersion,
        int position,
        @Column(updatable = false) @Nullable String label) {

    static RunOrigin of(StoredExperiment experiment, int position, String label) {
        return new RunOrigin(
                experiment.id(), experiment.name(), experiment.version(), position, label);
    }

    /** Returns what sets the run apart in its version; empty if nothing does. */
    String labelOrEmpty() {
        return Objects.requireNonNullElse(label, "");
    }

    /** Returns the name of the experiment with the label, or without one the number, from 1. */
    String runName() {
        return labelOrEmpty().isEmpty()
                ? "%s #%d".formatted(experimentName, position + 1)
                : experimentName + ": " + label;
    }
}
