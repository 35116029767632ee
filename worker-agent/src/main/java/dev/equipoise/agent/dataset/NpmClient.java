package dev.equipoise.agent.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Gets npm packages through the npm client, which knows the registry, the proxy and the
 * certificates of its machine. Nothing is installed and no script of the package runs.
 */
record NpmClient(String command) {

    /** The package as a file in the folder, verified. */
    Path pack(String name, String version, String sha256, Path folder) throws IOException {
        Command.run(
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
