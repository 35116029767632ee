package dev.equipoise.app.database;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks in advance whether the disk of a database has enough space: a full disk stops PostgreSQL
 * at any point, with a message that tells users little.
 *
 * @param bytes that this process may still write
 */
record DiskSpaceCheck(long bytes) {

    /** The server's programs take 47 MiB, new data 53 MiB, and the first runs some more. */
    private static final long NEW_MEBIBYTES = 200;

    /**
     * A segment of the write-ahead log is 16 MiB, and several are written before the first is
     * reused.
     */
    private static final long KNOWN_MEBIBYTES = 64;

    static DiskSpaceCheck of(Path folder) throws IOException {
        // The file store would not be found where the root is no mount point, as in a chroot.
        return new DiskSpaceCheck(folder.toRealPath().toFile().getUsableSpace());
    }

    /** Returns the message if the disk has too little space for the programs and new data. */
    Optional<String> lackForNewData() {
        return lack("a new database needs", NEW_MEBIBYTES);
    }

    /**
     * Returns the message if the disk has too little space for the server to use its existing data.
     */
    Optional<String> lackForKnownData() {
        return lack("the server needs", KNOWN_MEBIBYTES);
    }

    private Optional<String> lack(String what, long mebibytes) {
        return bytes < mebibytes << 20
                ? Optional.of(
                        "its disk has %d MiB left, but %s at least %d MiB"
                                .formatted(bytes >> 20, what, mebibytes))
                : Optional.empty();
    }

    /** Tells whether the disk has less than 1 MiB left. */
    boolean isNone() {
        return bytes < 1 << 20;
    }
}
