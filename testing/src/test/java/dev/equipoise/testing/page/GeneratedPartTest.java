package dev.equipoise.testing.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratedPartTest {

    private static final String BEGIN = "<!-- options: begin -->\n";
    private static final String END = "<!-- options: end -->";

    @TempDir private Path folder;

    private GeneratedPart part(String text) throws IOException {
        return new GeneratedPart(Files.writeString(folder.resolve("page.md"), text), "options");
    }

    @Test
    void renewalReplacesThePartAlone() throws IOException {
        GeneratedPart part = part("# Page\n\n" + BEGIN + "old\n" + END + "\n\nrest\n");

        part.check("\nnew\n\n", true);

        assertThat(part.page()).hasContent("# Page\n\n" + BEGIN + "\nnew\n\n" + END + "\n\nrest\n");
        assertThatCode(() -> part.check("\nnew\n\n", false)).doesNotThrowAnyException();
    }

    @Test
    void differenceNamesThePartAndTheCommandThatRenewsIt() throws IOException {
        GeneratedPart part = part(BEGIN + "old\n" + END);

        assertThatThrownBy(() -> part.check("new\n", false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("page.md differs from the sources in the part \"options\"")
                .hasMessageContaining("run './equipoise pages'");
        assertThat(part.page()).hasContent(BEGIN + "old\n" + END);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", BEGIN, END, END + "\n" + BEGIN, BEGIN + BEGIN + END})
    void pageWithoutOnePairOfMarkersIsRefused(String text) throws IOException {
        GeneratedPart part = part(text);

        assertThatThrownBy(() -> part.check("new\n", true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("page.md must have the lines <!-- options: begin -->");
        assertThat(part.page()).hasContent(text);
    }
}
