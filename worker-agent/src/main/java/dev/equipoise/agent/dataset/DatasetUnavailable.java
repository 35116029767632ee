package dev.equipoise.agent.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Thrown when a data set is neither found nor fetched, or cannot be read; the message lists each
 * attempt and its failure.
 */
public final class DatasetUnavailable extends RuntimeException {
    DatasetUnavailable(String name, List<String> attempts) {
        super("data set %s is unavailable:\n  %s".formatted(name, String.join("\n  ", attempts)));
    }

    DatasetUnavailable(String name, Path unreadable, IOException cause) {
        super("data set %s: cannot read %s: %s".formatted(name, unreadable, cause), cause);
    }
}
