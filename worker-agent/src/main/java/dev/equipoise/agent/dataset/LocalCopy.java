package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.Content.Origin;
import dev.equipoise.agent.dataset.PackageSource.NpmPackage;
import dev.equipoise.protocol.dataset.PublishedFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;

/** Folder with files of a published data set, packed or raw; every read verifies them. */
record LocalCopy(PublishedDataset dataset, Path folder) {

    Content open(PublishedFile file) {
        Path found = dataset.find(file, folder).orElse(folder.resolve(file.name()));
        try {
            return new Content(found, verified(file, found), Origin.PUBLISHED);
        } catch (ZipException | EOFException e) {
            throw new DatasetCorrupt(
                    "%s: is not a complete gzip file: %s".formatted(found, e.getMessage()));
        } catch (IOException e) {
            throw new DatasetUnavailable(dataset.name(), found, e);
        }
    }

    private byte[] verified(PublishedFile file, Path found) throws IOException {
        if (!Files.isRegularFile(found)) {
            throw new NoSuchFileException(found.toString());
        }
        byte[] content = Files.readAllBytes(found);
        Optional<NpmPackage> npmPackage = dataset.packageOf(found);
        if (npmPackage.isPresent()) {
            return verified(found, content, Checksum.SHA_256, npmPackage.get().sha256());
        }
        if (!found.endsWith(file.name() + ".gz")) {
            return verified(found, content, Checksum.MD5, file.md5());
        }
        boolean asPublished =
                file.md5OfPacked() != null && file.isPackedAs(Checksum.MD5.of(content));
        byte[] unpacked = Content.unpack(content);
        return asPublished ? unpacked : verified(found, unpacked, Checksum.MD5, file.md5());
    }

    private static byte[] verified(Path file, byte[] content, Checksum checksum, String expected) {
        String found = checksum.of(content);
        if (!found.equals(expected)) {
            throw DatasetCorrupt.checksum(file, expected, found);
        }
        return content;
    }
}
