package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class SourceTest {

    private static final String TEXT = "name: a # with a comment\n";

    @TempDir private Path folder;

    private static Source source(Path file, @Nullable String scale, String... settings) {
        return new Source(
                file.toString(),
                scale,
                Overrides.of(List.of(settings), JsonMapper.builder().build()));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void fileIsSentUnchanged() throws IOException {
        assertThat(source(file("a.yaml", TEXT), null).fromFile())
                .contains(new ServiceApi.Document("application/yaml", TEXT));
        assertThat(source(file("a.json", "{}"), null).fromFile())
                .contains(new ServiceApi.Document("application/json", "{}"));
    }

    @Test
    void fileWithOverridesIsSentAsJson() throws IOException {
        assertThat(source(file("a.yaml", TEXT), null, "training.epochs=2").fromFile())
                .contains(
                        new ServiceApi.Document(
                                "application/json",
                                "{\"name\":\"a\",\"training\":{\"epochs\":2}}"));
    }

    @Test
    void nameThatCannotBeAPresetMustBeAFile() {
        Path missing = folder.resolve("missing.yaml");

        assertThatThrownBy(() -> source(missing, null).fromFile())
                .isInstanceOf(UsageError.class)
                .hasMessage("there is no file " + missing);
        assertThat(source(Path.of("all-reduce-algorithms"), null).fromFile()).isEmpty();
    }

    @Test
    void scaleOfAFileIsRejected() throws IOException {
        Path file = file("a.yaml", TEXT);

        assertThatThrownBy(() -> source(file, "small").fromFile())
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith("--scale applies to presets");
    }

    @Test
    void syntaxErrorIsReportedWithFileAndLineBeforeTheFileIsSent() throws IOException {
        Path malformed = file("a.yaml", "name: a\ntraining: [1\n");

        assertThatThrownBy(() -> source(malformed, null).fromFile())
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith(malformed + " is neither YAML nor JSON")
                .hasMessageContaining(" line ");
    }

    @Test
    void emptyFileAndFolderAreNamed() throws IOException {
        Path empty = file("empty.yaml", " \n# nothing\n");
        Path directory = Files.createDirectory(folder.resolve("folder.yaml"));

        assertThatThrownBy(() -> source(empty, null).fromFile())
                .isInstanceOf(UsageError.class)
                .hasMessage(empty + " is empty");
        assertThatThrownBy(() -> source(directory, null).fromFile())
                .isInstanceOf(UsageError.class)
                .hasMessage(directory + " is a folder: name a file in it");
    }

    @Test
    void fileThatNoServiceAcceptsIsNotSent() throws IOException {
        Path large = file("large.yaml", "name: " + "a".repeat(1 << 20) + "\n");

        assertThatThrownBy(() -> source(large, null).fromFile())
                .isInstanceOf(UsageError.class)
                .hasMessage(large + " has 1048583 bytes, and may have at most 1048576");
    }

    /** JSON may be indented by tabs, and YAML may not. */
    @Test
    void jsonWithTabsIsSentUnchanged() throws IOException {
        String text = "{\n\t\"name\": \"a\"\n}";

        assertThat(source(file("a.json", text), null).fromFile())
                .contains(new ServiceApi.Document("application/json", text));
    }

    @Test
    void overridesOfAMalformedFileAreRejected() throws IOException {
        Path malformed = file("a.yaml", "a: [1");
        Path list = file("b.yaml", "- 1");

        assertThatThrownBy(() -> source(malformed, null, "b=1").fromFile())
                .isInstanceOf(UsageError.class)
                .hasMessageMatching(".*/a\\.yaml is neither YAML nor JSON.* line \\d+.*");
        assertThatThrownBy(() -> source(list, null, "b=1").fromFile())
                .hasMessageEndingWith("must be an object");
    }
}
