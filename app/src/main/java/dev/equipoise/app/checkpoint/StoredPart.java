package dev.equipoise.app.checkpoint;

import java.io.InputStream;

/**
 * A rank's part of a checkpoint.
 *
 * @param content of so many bytes; whoever gets it closes it
 */
public record StoredPart(InputStream content, long bytes) {}
