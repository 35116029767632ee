package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.Publication.PublishedFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** A folder that has all files of a publication, packed or raw; verified whenever it is read. */
record LocalCopy(Publication publication, Path folder) {

    DatasetSplit read() {
        return new DatasetSplit(
                read(publication.trainingImages(), publication.trainingLabels()),
                read(publication.testImages(), publication.testLabels()));
    }

    private Dataset read(PublishedFile images, PublishedFile labels) {
        IdxFile imageFile = open(images);
        byte[] pixels = imageFile.images(publication.shape());
        int size = pixels.length / publication.shape().size();
        byte[] classes = open(labels).labels(size, publication.classes());
        return new Dataset(publication.shape(), publication.classes(), size, pixels, classes);
    }

    private IdxFile open(PublishedFile file) {
        boolean unpacked = Files.isRegularFile(file.raw(folder));
        Path found = unpacked ? file.raw(folder) : file.packed(folder);
        try {
            return new IdxFile(
                    found,
                    unpacked
                            ? verified(found, file.md5OfRaw())
                            : unpack(verified(found, file.md5OfPacked())));
        } catch (IOException e) {
            throw new DatasetUnavailable(publication.name(), found, e);
        }
    }

    private static byte[] verified(Path file, String expected) throws IOException {
        byte[] content = Files.readAllBytes(file);
        String found = Checksum.MD5.of(content);
        if (!found.equals(expected)) {
            throw DatasetCorrupt.checksum(file, expected, found);
        }
        return content;
    }

    private static byte[] unpack(byte[] packed) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readAllBytes();
        }
    }
}
