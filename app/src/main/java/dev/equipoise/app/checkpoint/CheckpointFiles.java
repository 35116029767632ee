package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Files of checkpoint parts: writes, reads and removes them. */
@Component
class CheckpointFiles {

    private static final Logger log = LoggerFactory.getLogger(CheckpointFiles.class);

    private final CheckpointUploads uploads;
    private final CheckpointStore store;

    CheckpointFiles(CheckpointUploads uploads, CheckpointStore store) {
        this.uploads = uploads;
        this.store = store;
    }

    /**
     * Writes a part whose header was read already.
     *
     * @param rest content after the header
     * @throws Problem {@code invalid-request} if the part is incomplete, {@code no-room} if it
     *     cannot be written
     */
    void write(CheckpointHeader header, InputStream rest) throws IOException {
        uploads.receive(header, rest);
    }

    /**
     * Opens a part; empty if it is missing or damaged. Reads it to its end before returning it,
     * since a rank that has loaded a part of it cannot go back.
     */
    Optional<StoredPart> open(CheckpointPart part) throws IOException {
        return isWhole(part) ? store.open(part) : Optional.empty();
    }

    private boolean isWhole(CheckpointPart part) throws IOException {
        Optional<StoredPart> found = store.open(part);
        if (found.isEmpty()) {
            return false;
        }
        try (InputStream content = found.get().content()) {
            boolean isWhole = Digests.endsWithOwn(content, found.get().bytes());
            if (!isWhole) {
                log.error("{} is damaged: its bytes do not match its digest", part.name());
            }
            return isWhole;
        }
    }

    /** Removes old parts of a run; a part that cannot be removed stays. */
    void remove(RunId run, Predicate<CheckpointPart> old) {
        try {
            store.of(run).stream().filter(old).forEach(this::remove);
        } catch (IOException failure) {
            log.warn("old checkpoints of run {} cannot be removed: {}", run, failure.toString());
        }
    }

    /** Removes a part; returns false if it cannot be removed. */
    boolean remove(CheckpointPart part) {
        try {
            store.remove(part);
            return true;
        } catch (IOException failure) {
            log.warn("{} cannot be removed: {}", part.name(), failure.toString());
            return false;
        }
    }

    /**
     * Removes unfinished uploads, parts of runs that have ended, and files of earlier versions.
     *
     * @param notOver runs that have not ended
     * @param before time after whose last write a file is left alone
     * @return number of removed files
     */
    int removeLeftOver(Supplier<Set<RunId>> notOver, Instant before) {
        try {
            return uploads.removeLeftOver(before) + removeOver(notOver, before);
        } catch (IOException failure) {
            log.warn("left-over checkpoint files cannot be removed: {}", failure.toString());
            return 0;
        }
    }

    /**
     * Removes old parts of ended runs. The open runs are read after the files, since the run of an
     * old file existed before it.
     */
    private int removeOver(Supplier<Set<RunId>> notOver, Instant before) throws IOException {
        List<CheckpointPart> old = store.writtenBefore(before);
        if (old.isEmpty()) {
            return 0;
        }
        Set<RunId> open = notOver.get();
        return Math.toIntExact(
                old.stream().filter(it -> !open.contains(it.run())).filter(this::remove).count());
    }
}
