package dev.equipoise.agent.dataset;

import java.nio.file.Path;

/**
 * A file of a published data set is there but does not hold what was published. Whoever put it
 * there has to decide.
 */
public final class DatasetCorrupt extends RuntimeException {
    DatasetCorrupt(String message) {
        super(message);
    }

    static DatasetCorrupt checksum(Path file, String expected, String found) {
        return new DatasetCorrupt(
                "%s: checksum must be %s, but was %s".formatted(file, expected, found));
    }
}
