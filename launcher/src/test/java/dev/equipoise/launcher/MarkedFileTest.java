package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkedFileTest {

    private static final MarkedFile.Marks MARKS = MarkedFile.FIGURES;

    @TempDir private Path folder;

    private Path page(String text) throws IOException {
        return Files.writeString(
                folder.resolve("page.md"),
                text.replace("BEGIN", MARKS.begin()).replace("END", MARKS.end()));
    }

    @Test
    void contentReplacesWhatIsBetweenTheMarkers() throws IOException {
        Path page = page("# Results\n\nBEGIN\nold\nEND\n\nrest\n");

        MarkedFile.of(page, MARKS).write("\nnew\n\n");
        MarkedFile.of(page, MARKS).write("\nnewer\n\n");

        assertThat(page)
                .hasContent(
                        "# Results\n\n%s\n\nnewer\n\n%s\n\nrest\n"
                                .formatted(MARKS.begin(), MARKS.end()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "BEGIN\n", "END\n", "END\nBEGIN\n", "BEGIN\nBEGIN\nEND\n"})
    void pageWithoutOnePairOfMarkersIsRefused(String text) throws IOException {
        Path page = page(text);

        assertThatThrownBy(() -> MarkedFile.of(page, MARKS))
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith(
                        "--output must name a file that has the lines %s and %s once"
                                .formatted(MARKS.begin(), MARKS.end()))
                .hasMessageEndingWith("add them to " + page);
    }

    @Test
    void missingPageIsRefused() {
        assertThatThrownBy(() -> MarkedFile.of(folder.resolve("missing.md"), MARKS))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("missing.md cannot be read");
    }
}
