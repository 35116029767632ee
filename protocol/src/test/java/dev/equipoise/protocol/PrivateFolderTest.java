package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {

    @TempDir private Path parent;

    private static String mode(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }

    @Test
    void newFoldersBelongToTheirOwnerAlone() throws IOException {
        Path created = PrivateFolder.create(parent.resolve("data/checkpoints"));

        assertThat(mode(created)).isEqualTo("rwx------");
        assertThat(mode(parent.resolve("data"))).isEqualTo("rwx------");
    }

    @Test
    void existingFolderKeepsItsMode() throws IOException {
        Path shared = Files.createDirectory(parent.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-x---"));

        assertThat(PrivateFolder.create(shared)).isEqualTo(shared);
        assertThat(mode(shared)).isEqualTo("rwxr-x---");
    }
}
