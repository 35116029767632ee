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
                digits(experiment.id(), experiment.version()),
                Key.cut(
                        LONGEST_NAME,
                        "%s (version %d)".formatted(experiment.name(), experiment.version())),
                experiment.definedAt().toEpochMilli());
    }

    /** Versions of one experiment are experiments of their own there. */
    private static String digits(UUID id, int version) {
        long mixed = id.getMostSignificantBits() ^ id.getLeastSignificantBits() ^ version;
        return "%018d".formatted(Long.remainderUnsigned(mixed, LARGEST_ID));
    }
}
