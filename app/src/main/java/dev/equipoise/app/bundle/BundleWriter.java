package dev.equipoise.app.bundle;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a bundle file by file, with the manifest last. The bytes depend only on the content:
 * entries have no time, and fields are sorted.
 */
final class BundleWriter {

    /** The earliest time of a zip entry. */
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final ZipOutputStream zip;
    private final JsonMapper json;
    private final List<Manifest.Content> files = new ArrayList<>();

    BundleWriter(OutputStream out, JsonMapper json) {
        this.zip = new ZipOutputStream(out);
        this.json =
                json.rebuild()
                        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build();
    }

    void add(String path, Object content) throws IOException {
        byte[] bytes = json.writeValueAsBytes(content);
        write(path, bytes);
        files.add(new Manifest.Content(path, Checksum.of(bytes), bytes.length));
    }

    void finish(String product, Instant asOf, Manifest.ExportedExperiment experiment)
            throws IOException {
        write(
                Manifest.PATH,
                json.writeValueAsBytes(
                        new Manifest(
                                Manifest.FORMAT,
                                product,
                                asOf,
                                experiment,
                                files,
                                List.of(Manifest.MODELS))));
        zip.finish();
    }

    private void write(String path, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(path);
        entry.setTimeLocal(NO_TIME);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }
}
