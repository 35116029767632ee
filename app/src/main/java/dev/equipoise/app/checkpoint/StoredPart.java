package dev.equipoise.app.checkpoint;

import java.io.InputStream;

/**
 * Content of a rank's part of a checkpoint.
 *
 * @param content stream of {@code bytes} bytes; the receiver must close it
 */
public record StoredPart(InputStream content, long bytes) {}
