package dev.equipoise.app.bundle;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * What a bundle says of itself.
 *
 * @param format how the rest is to be read
 * @param product the version of the service that wrote it
 * @param asOf when the newest of what it tells happened; the same content has the same
 * @param files all others, in their order
 */
record Manifest(
        String format, String product, Instant asOf, Origin experiment, List<Content> files) {

    static final String FORMAT = "equipoise-study/1";
    static final String PATH = "manifest.json";

    Manifest {
        files = List.copyOf(files);
    }

    /** The experiment where it comes from. */
    record Origin(UUID id, String name, int version) {}

    /**
     * One file.
     *
     * @param sha256 of its bytes, in hexadecimal digits
     */
    record Content(String path, String sha256, long bytes) {

        Content {
            Objects.requireNonNull(path, "path is needed");
            Objects.requireNonNull(sha256, "sha256 is needed");
        }
    }
}
