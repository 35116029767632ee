package dev.equipoise.agent.dataset;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Unpacked content of a file of a data set; messages count offsets and lines in it. */
final class Content {

    /** Limit of the unpacked size of a file, in bytes. */
    static final int MAX_BYTES = 1 << 30;

    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final byte[] bytes;
    private final Origin origin;

    /**
     * @param bytes not copied
     */
    Content(Path file, byte[] bytes, Origin origin) {
        this.file = file;
        this.bytes = bytes;
        this.origin = origin;
    }

    /** Party that is responsible for a file that breaks a rule. */
    enum Origin {
        /** Published data set: this host has a bad copy. */
        PUBLISHED,
        /** Data of the user, who has to fix it. */
        OWN
    }

    /** A user's own file. */
    static Content own(Path file) throws IOException {
        try (InputStream in = open(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            Content content = new Content(file, bytes, Origin.OWN);
            if (bytes.length > MAX_BYTES) {
                throw content.brokenAt(
                        MAX_BYTES, "a file must have at most %d bytes".formatted(MAX_BYTES));
            }
            return content;
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        return file.toString().endsWith(".gz") ? new GZIPInputStream(in, BUFFER) : in;
    }

    static byte[] unpack(byte[] packed) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed), BUFFER)) {
            return in.readNBytes(MAX_BYTES);
        }
    }

    Path file() {
        return file;
    }

    /** Returns the bytes without a copy; callers must not change them. */
    byte[] bytes() {
        return bytes;
    }

    Origin origin() {
        return origin;
    }

    RuntimeException brokenAt(long offset, String problem) {
        return broken("%s, byte %d: %s".formatted(file, offset, problem));
    }

    RuntimeException brokenIn(int line, String problem) {
        return broken("%s, line %d: %s".formatted(file, line, problem));
    }

    /** Returns the failure of a file, whose name the message has. */
    RuntimeException broken(String message) {
        return switch (origin) {
            case PUBLISHED -> new DatasetCorrupt(message);
            case OWN -> new DatasetInvalid(message);
        };
    }
}
