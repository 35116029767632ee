package dev.equipoise.app.mlflow;

import dev.equipoise.app.configuration.StoredExperiment;

/**
 * Experiment in the terms of MLflow.
 *
 * @param name with the version, which makes it unique, since MLflow has no versions of experiments
 */
record TrackedExperiment(String name) {

    private static final int MAX_NAME_LENGTH = 500;

    static TrackedExperiment of(StoredExperiment experiment) {
        return new TrackedExperiment(
                MlflowName.cut(
                        MAX_NAME_LENGTH,
                        "%s (version %d)".formatted(experiment.name(), experiment.version())));
    }
}
