package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.PublishedFile;
import dev.equipoise.protocol.dataset.Source;
import dev.equipoise.protocol.network.Shape.Image;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Small valid data set of 2x3 images: pixel p of image i is 10 i + p, its label i % 4. */
final class TestingIdx {
    static final Image SHAPE = new Image(2, 3, 1);
    static final int TRAINING = 5;
    static final int TEST = 3;
    static final List<String> NAMES = List.of("a-images", "a-labels", "b-images", "b-labels");
    static final List<PublishedFile> FILES =
            NAMES.stream()
                    .map(name -> new PublishedFile(name, Checksum.MD5.of(raw(name)), null))
                    .toList();

    private TestingIdx() {}

    static PublishedDataset publication(Source... sources) {
        return publication(List.of(sources), List.of());
    }

    static PublishedDataset publication(List<Source> sources, List<PackageSource> packages) {
        return new PublishedDataset(
                new DatasetDescription(
                        "tiny", "tiny", SHAPE, 4, TRAINING, TEST, null, FILES, sources, "", ""),
                packages);
    }

    static byte[] raw(String name) {
        int count = name.startsWith("a") ? TRAINING : TEST;
        return name.endsWith("images") ? images(count) : labels(count);
    }

    static byte[] packed(String name) {
        return packed(raw(name));
    }

    static byte[] packed(byte[] raw) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(raw);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static void writePacked(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (String name : NAMES) {
            Files.write(folder.resolve(name + ".gz"), packed(name));
        }
    }

    static void writeRaw(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (String name : NAMES) {
            Files.write(folder.resolve(name), raw(name));
        }
    }

    static byte[] images(int count) {
        ByteBuffer content = ByteBuffer.allocate(16 + 6 * count);
        content.putInt(2051).putInt(count).putInt(2).putInt(3);
        for (int i = 0; i < 6 * count; i++) {
            content.put((byte) (i / 6 * 10 + i % 6));
        }
        return content.array();
    }

    static byte[] labels(int count) {
        ByteBuffer content = ByteBuffer.allocate(8 + count).putInt(2049).putInt(count);
        for (int i = 0; i < count; i++) {
            content.put((byte) (i % 4));
        }
        return content.array();
    }
}
