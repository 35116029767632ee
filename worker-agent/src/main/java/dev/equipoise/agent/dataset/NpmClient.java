package dev.equipoise.agent.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Fetches npm packages through the npm client, which knows registry, proxy and certificates of its
 * host. Installs nothing and runs no script of a package.
 */
record NpmClient(String command) {

    /** Downloads a package into the folder, verifies it, and returns its file. */
    Path pack(String name, String version, String sha256, Path folder) throws IOException {
        ExternalProgram.run(
                folder,
                List.of(
                        command,
                        "pack",
                        "--ignore-scripts",
                        "--pack-destination",
                        folder.toString(),
                        name + "@" + version));
        Path packed = folder.resolve("%s-%s.tgz".formatted(name, version));
        String found = Checksum.SHA_256.of(packed);
        if (!found.equals(sha256)) {
            throw new IOException("checksum must be %s, but was %s".formatted(sha256, found));
        }
        return packed;
    }
}
