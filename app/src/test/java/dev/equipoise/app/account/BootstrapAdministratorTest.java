package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootstrapAdministratorTest {

    @TempDir private Path folder;

    @Test
    void emptyFileIsFilled() throws IOException {
        Path file = Files.createFile(folder.resolve("token"));

        BootstrapAdministrator.write(file, "eqp_new");

        assertThat(file).hasContent("eqp_new");
    }

    @Test
    void olderTokenIsReplaced() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "eqp_old");

        BootstrapAdministrator.write(file, "eqp_new");

        assertThat(file).content().startsWith("eqp_new");
    }

    @Test
    void otherFileIsNotOverwritten() throws IOException {
        Path file = Files.writeString(folder.resolve("thesis.tex"), "years of work");

        assertThatThrownBy(() -> BootstrapAdministrator.write(file, "eqp_new"))
                .hasRootCauseMessage(
                        file + ": contains something other than a token and is not overwritten");
        assertThat(file).hasContent("years of work");
    }
}
