package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Store of checkpoint parts. A stored part is always complete. Thread-safe. */
interface CheckpointStore {

    /**
     * Stores a part, replacing one of the same name.
     *
     * @param file complete file, already synced to the disk; the store may move it away
     * @throws IOException if the part cannot be stored
     */
    void take(CheckpointPart part, Path file) throws IOException;

    /** Opens a part; empty if it does not exist. */
    Optional<StoredPart> open(CheckpointPart part) throws IOException;

    /** Returns the stored parts of a run. */
    List<CheckpointPart> of(RunId run) throws IOException;

    /** Returns the parts of all runs that were last written before a moment. */
    List<CheckpointPart> writtenBefore(Instant moment) throws IOException;

    /** Removes a part; ignores a missing one. */
    void remove(CheckpointPart part) throws IOException;
}
