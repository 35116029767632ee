package dev.equipoise.app.mlflow;

import dev.equipoise.app.configuration.StoredExperiment;
import java.util.UUID;

/**
 * Experiment in the terms of MLflow.
 *
 * @param id of 18 digits, like the folder names of MLflow
 * @param name with the version, which makes it unique
 * @param created in milliseconds since 1970
 */
record TrackedExperiment(String id, String name, long created) {

    private static final int MAX_NAME_LENGTH = 500;
    private static final long MAX_ID = 1_000_000_000_000_000_000L;

    static TrackedExperiment of(StoredExperiment experiment) {
        return new TrackedExperiment(
                digits(experiment.id(), experiment.version()),
                MlflowName.cut(
                        MAX_NAME_LENGTH,
                        "%s (version %d)".formatted(experiment.name(), experiment.version())),
                experiment.definedAt().toEpochMilli());
    }

    /** Computes an id for each version, since MLflow has no versions of experiments. */
    private static String digits(UUID id, int version) {
        long mixed = id.getMostSignificantBits() ^ id.getLeastSignificantBits() ^ version;
        return "%018d".formatted(Long.remainderUnsigned(mixed, MAX_ID));
    }
}
