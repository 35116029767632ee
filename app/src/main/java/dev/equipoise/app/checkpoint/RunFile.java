package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;

/** Identity of a file of a run in the store. */
sealed interface RunFile permits CheckpointPart, ModelFile {

    RunId run();

    /** Returns the file name, which contains the whole identity. */
    String name();

    /** Returns what the file is, for messages. */
    String kind();
}
