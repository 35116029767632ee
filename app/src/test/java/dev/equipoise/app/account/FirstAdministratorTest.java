package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstAdministratorTest {

    @TempDir private Path folder;

    @Test
    void fillsAFileThatAFullDiskLeftEmpty() throws IOException {
        Path file = Files.createFile(folder.resolve("token"));

        FirstAdministrator.write(file, "eqp_new");

        assertThat(file).hasContent("eqp_new");
    }

    @Test
    void anOlderTokenIsReplaced() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "eqp_old");

        FirstAdministrator.write(file, "eqp_new");

        assertThat(file).content().startsWith("eqp_new");
    }

    @Test
    void aFileThatHoldsSomethingElseStays() throws IOException {
        Path file = Files.writeString(folder.resolve("thesis.tex"), "years of work");

        assertThatThrownBy(() -> FirstAdministrator.write(file, "eqp_new"))
                .hasRootCauseMessage(
                        file + ": holds something else than a token and is not overwritten");
        assertThat(file).hasContent("years of work");
    }
}
