package dev.equipoise.app.database;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The room on the disk of a database, asked for beforehand: a full disk ends PostgreSQL's work at
 * any place, in words that tell its users little.
 *
 * @param bytes what this process may still write
 */
record DiskRoom(long bytes) {

    /** The server's programs take 47 MiB of it, fresh data 53 MiB, and the first runs some more. */
    private static final long NEW_MEBIBYTES = 200;

    /**
     * One piece of the log of changes is 16 MiB, and some are written before the first is used
     * again.
     */
    private static final long KNOWN_MEBIBYTES = 64;

    static DiskRoom of(Path folder) throws IOException {
        // Not of its file store, which is not found where the root is no mount, as in a chroot.
        return new DiskRoom(folder.toRealPath().toFile().getUsableSpace());
    }

    /** Why the programs and new data do not fit, if they do not. */
    Optional<String> lackForNewData() {
        return lack("new data need", NEW_MEBIBYTES);
    }

    /** Why the server cannot work on the data that it has, if it cannot. */
    Optional<String> lackForKnownData() {
        return lack("the server needs", KNOWN_MEBIBYTES);
    }

    private Optional<String> lack(String who, long mebibytes) {
        return bytes < mebibytes << 20
                ? Optional.of(
                        "its disk has %d MiB left, and %s at least %d MiB"
                                .formatted(bytes >> 20, who, mebibytes))
                : Optional.empty();
    }

    /** Whether nothing can be written at all. */
    boolean isNone() {
        return bytes < 1 << 20;
    }
}
