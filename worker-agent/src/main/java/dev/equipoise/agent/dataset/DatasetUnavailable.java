package dev.equipoise.agent.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a data set is neither found nor fetched, or cannot be read; the message lists each
 * attempt and its failure.
 */
public final class DatasetUnavailable extends RuntimeException {

    private static final int MAX_LISTED = 20;

    private final boolean isOwn;

    DatasetUnavailable(String name, List<String> attempts) {
        this(
                "data set %s was not found on this worker:\n  %s".formatted(name, joined(attempts)),
                false,
                null);
    }

    DatasetUnavailable(String name, Path unreadable, IOException cause) {
        this(unreadable(name, unreadable, cause), false, cause);
    }

    private DatasetUnavailable(String message, boolean isOwn, @Nullable Throwable cause) {
        super(message, cause);
        this.isOwn = isOwn;
    }

    /**
     * Returns the failure to find a user's own folder on this worker.
     *
     * @param known the folders that this worker has
     */
    static DatasetUnavailable own(String folder, List<String> attempts, List<String> known) {
        return new DatasetUnavailable(
                "this worker does not have the data folder %s with its files:\n  %s\n  it has %s"
                        .formatted(folder, joined(attempts), listed(known)),
                true,
                null);
    }

    /** Returns the failure to open a file of a user's own folder. */
    static DatasetUnavailable own(String folder, Path unreadable, IOException cause) {
        return new DatasetUnavailable(unreadable(folder, unreadable, cause), true, cause);
    }

    private static String joined(List<String> attempts) {
        return String.join("\n  ", attempts);
    }

    private static String listed(List<String> folders) {
        if (folders.isEmpty()) {
            return "no data folders";
        }
        String some = String.join(", ", folders.stream().limit(MAX_LISTED).toList());
        return folders.size() > MAX_LISTED ? some + ", ..." : some;
    }

    private static String unreadable(String name, Path file, IOException cause) {
        return "data set %s: cannot read %s: %s".formatted(name, file, cause);
    }

    /** Returns whether the data are the user's own, who has to provide them. */
    public boolean isOwn() {
        return isOwn;
    }
}
