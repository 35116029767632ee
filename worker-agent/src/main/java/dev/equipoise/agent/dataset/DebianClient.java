package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.PackageSource.DebianFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Fetches files of Debian packages through apt, which verifies them; installs nothing. */
record DebianClient(String apt, String dpkg) {

    /** Downloads and unpacks a package, and returns its folder of data files. */
    Path unpack(DebianFiles source, Path folder) throws IOException {
        ExternalProgram.run(folder, List.of(apt, "download", source.name()));
        Path unpacked = folder.resolve("unpacked");
        ExternalProgram.run(
                folder,
                List.of(dpkg, "--extract", onlyPackage(folder).toString(), unpacked.toString()));
        return unpacked.resolve(source.folder());
    }

    private static Path onlyPackage(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("apt downloaded no package"));
        }
    }
}
