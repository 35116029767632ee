package dev.equipoise.launcher.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextFileTest {

    private static final Context LAB =
            new Context(URI.create("http://lab:8080"), "eqp_a", "id", null);
    private static final Context OTHER =
            new Context(URI.create("https://other/equipoise"), "eqp_b", null, "/etc/lab/ca.pem");

    @TempDir private Path folder;

    private ContextFile file() {
        return ContextFile.ofUser(Map.of("XDG_CONFIG_HOME", folder.toString()));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void thereAreNoContextsWithoutAFile() {
        assertThat(file().read()).isEqualTo(Contexts.NONE);
    }

    @Test
    void contextsAreReadAsTheyWereWritten() {
        Contexts contexts = Contexts.NONE.with("other", OTHER).with("lab", LAB);

        file().write(contexts);

        assertThat(file().read()).isEqualTo(contexts);
        assertThat(file().read().selected()).contains(LAB);
    }

    @Test
    void contextsOfAnEarlierVersionHaveNoAuthorities() throws IOException {
        Path path = file().path();
        Files.createDirectories(path.getParent());
        Files.writeString(
                path,
                """
                {"current": "lab", "contexts": {"lab":
                  {"service": "http://lab:8080", "token": "eqp_a", "issued": "id"}}}
                """);

        assertThat(file().read().selected()).contains(LAB);
    }

    @Test
    void onlyTheUserReadsTheFileAndItsFolder() throws IOException {
        Path own = Files.createDirectory(folder.resolve("equipoise"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));

        file().write(Contexts.NONE.with("lab", LAB));
        file().write(Contexts.NONE.with("other", OTHER));

        assertThat(mode(own)).isEqualTo("rwx------");
        assertThat(mode(own.resolve("contexts.json"))).isEqualTo("rw-------");
        assertThat(own.toFile().list()).containsExactly("contexts.json");
    }

    @Test
    void failedWriteLeavesNoCopyOfTheTokens() throws IOException {
        Path own = Files.createDirectory(folder.resolve("equipoise"));
        Files.createDirectories(own.resolve("contexts.json/in-the-way"));

        assertThatThrownBy(() -> file().write(Contexts.NONE.with("lab", LAB)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot write the contexts in ");

        assertThat(own.toFile().list()).containsExactly("contexts.json");
    }

    @Test
    void deletedContextIsNotCurrent() {
        Contexts contexts = Contexts.NONE.with("other", OTHER).with("lab", LAB);

        assertThat(contexts.without("lab").selected()).isEmpty();
        assertThat(contexts.without("other").selected()).contains(LAB);
        assertThat(contexts.using("other").selected()).contains(OTHER);
    }

    @Test
    void damagedFileIsNamed() throws IOException {
        Path path = file().path();
        Files.createDirectories(path.getParent());
        Files.writeString(path, "{\"current\": \"lab\", \"contexts\": {\"lab\": {\"service\":");

        assertThatThrownBy(() -> file().read())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(
                        "cannot read the contexts in %s: it is damaged; delete it, and log in again"
                                .formatted(path));
    }
}
