package dev.equipoise.agent.dataset;

import java.nio.file.Path;

/** A file is there but does not hold what was published. Whoever put it there has to decide. */
public final class DatasetCorrupt extends RuntimeException {
    private DatasetCorrupt(String message) {
        super(message);
    }

    static DatasetCorrupt checksum(Path file, String expected, String found) {
        return new DatasetCorrupt(
                "%s: checksum must be %s, but was %s".formatted(file, expected, found));
    }

    static DatasetCorrupt at(Path file, long offset, String problem) {
        return new DatasetCorrupt("%s, byte %d: %s".formatted(file, offset, problem));
    }
}
