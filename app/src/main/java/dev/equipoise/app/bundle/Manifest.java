package dev.equipoise.app.bundle;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * The manifest of a bundle.
 *
 * @param format the format of the other files
 * @param product the version of the service that wrote the bundle
 * @param asOf the time of the newest event in the bundle; equal for equal content
 * @param files all other files, in their order
 * @param omitted what runs have and the bundle has not, such as {@link #MODELS}; empty in bundles
 *     of earlier versions
 */
record Manifest(
        String format,
        String product,
        Instant asOf,
        ExportedExperiment experiment,
        List<Content> files,
        List<String> omitted) {

    static final String FORMAT = "equipoise-study/1";
    static final String PATH = "manifest.json";

    /** Trained models, which may be large: {@code GET /runs/{id}/model} has them. */
    static final String MODELS = "models";

    Manifest {
        files = List.copyOf(files);
        omitted = List.copyOf(Objects.requireNonNullElse(omitted, List.of()));
    }

    /**
     * The exported experiment.
     *
     * @param id id of the experiment in the other lab
     * @param name name of the experiment
     * @param version version of its definition
     */
    record ExportedExperiment(UUID id, String name, int version) {}

    /**
     * A file of the bundle.
     *
     * @param sha256 of its bytes, in hexadecimal digits
     */
    record Content(String path, String sha256, long bytes) {

        Content {
            Objects.requireNonNull(path, "path must be given");
            Objects.requireNonNull(sha256, "sha256 must be given");
        }
    }
}
