package dev.equipoise.agent.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A data set was neither found nor fetched, or what was found cannot be read; the message names
 * each attempt and why it failed.
 */
public final class DatasetUnavailable extends RuntimeException {
    DatasetUnavailable(String name, List<String> attempts) {
        super("data set %s is not to be had:\n  %s".formatted(name, String.join("\n  ", attempts)));
    }

    DatasetUnavailable(String name, Path unreadable, IOException cause) {
        super("data set %s: cannot read %s: %s".formatted(name, unreadable, cause), cause);
    }
}
