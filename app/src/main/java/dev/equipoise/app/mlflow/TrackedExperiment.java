package dev.equipoise.app.mlflow;

import dev.equipoise.app.experiment.StoredExperiment;
import java.util.UUID;

/**
 * An experiment as MLflow knows experiments.
 *
 * @param id of 18 digits, as it gives them to folders
 * @param name unlike that of the experiment's other versions
 * @param created in milliseconds since 1970
 */
record TrackedExperiment(String id, String name, long created) {

    private static final int LONGEST_NAME = 500;
    private static final long LARGEST_ID = 1_000_000_000_000_000_000L;

    static TrackedExperiment of(StoredExperiment experiment) {
        return new TrackedExperiment(
                digits(experiment.id()),
                Key.cut(
                        LONGEST_NAME,
                        "%s (version %d)".formatted(experiment.name(), experiment.version())),
                experiment.createdAt().toEpochMilli());
    }

    private static String digits(UUID id) {
        long mixed = id.getMostSignificantBits() ^ id.getLeastSignificantBits();
        return "%018d".formatted(Long.remainderUnsigned(mixed, LARGEST_ID));
    }
}
