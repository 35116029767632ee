package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where parts of checkpoints are. One that is there is whole. Any thread may call. */
interface CheckpointStore {

    /**
     * Takes a part over, in the place of one of the same name.
     *
     * @param file whose content is known to be whole, and is on the disk; it may be gone then
     * @throws IOException where it cannot be taken, and is not there
     */
    void take(CheckpointPart part, Path file) throws IOException;

    /** One that is there; empty where there is none. */
    Optional<StoredPart> open(CheckpointPart part) throws IOException;

    /** Those of a run that are there. */
    List<CheckpointPart> of(RunId run) throws IOException;

    /** Those, of all runs, that were last written before a moment. */
    List<CheckpointPart> writtenBefore(Instant moment) throws IOException;

    /** One that is not there is no error. */
    void remove(CheckpointPart part) throws IOException;
}
