package dev.equipoise.agent.service;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disk of the journals of an agent. Logs once when it fails, and once when it works again, however
 * many journals are on it. Any thread may call.
 */
final class JournalDisk {

    private static final Logger log = LoggerFactory.getLogger(JournalDisk.class);

    private final FileCreation creation;
    private final AtomicBoolean isFailing = new AtomicBoolean();

    /** Creates a file, or replaces it. */
    @FunctionalInterface
    interface FileCreation {
        Writer create(Path file) throws IOException;
    }

    JournalDisk(FileCreation creation) {
        this.creation = creation;
    }

    /** Returns the disk of the host. */
    static JournalDisk ofHost() {
        return new JournalDisk(JournalDisk::createPrivately);
    }

    /** Creates or replaces a file that only its owner may read. */
    static Writer createPrivately(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, Journal.OWNER_ALONE);
        return Files.newBufferedWriter(file, StandardOpenOption.APPEND);
    }

    Writer create(Path file) throws IOException {
        return creation.create(file);
    }

    /** Notes that a file could not be written, as on a full disk. */
    void failed(Path file, IOException failure) {
        if (!isFailing.getAndSet(true)) {
            log.warn(
                    "events that the service has not confirmed are in memory alone, and lost if"
                            + " this process ends: {} cannot be written: {}",
                    file,
                    failure.toString());
        }
    }

    /** Notes that a file was written completely. */
    void works(Path file) {
        if (isFailing.getAndSet(false)) {
            log.info("events that the service has not confirmed are on disk again: {}", file);
        }
    }
}
