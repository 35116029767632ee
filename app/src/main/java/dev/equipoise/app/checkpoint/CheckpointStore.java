package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Store of checkpoint parts and models. A stored file is always complete. Thread-safe. */
interface CheckpointStore {

    /**
     * Stores a file, replacing one of the same name.
     *
     * @param complete complete file, already synced to the disk; the store may move it away
     * @throws IOException if the file cannot be stored
     */
    void take(RunFile file, Path complete) throws IOException;

    /** Opens a file; empty if it does not exist. */
    Optional<StoredPart> open(RunFile file) throws IOException;

    /** Returns the stored parts of a run. */
    List<CheckpointPart> of(RunId run) throws IOException;

    /** Returns the parts of all runs that were last written before a moment. */
    List<CheckpointPart> writtenBefore(Instant moment) throws IOException;

    /** Returns the stored models of a run. */
    List<ModelFile> modelsOf(RunId run) throws IOException;

    /** Returns the models of all runs that were last written before a moment. */
    List<ModelFile> modelsWrittenBefore(Instant moment) throws IOException;

    /** Removes a file; ignores a missing one. */
    void remove(RunFile file) throws IOException;
}
