package dev.equipoise.agent.dataset;

import java.nio.file.Path;

/**
 * Thrown when a file of a published data set differs from the published one; an operator has to
 * replace it.
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
