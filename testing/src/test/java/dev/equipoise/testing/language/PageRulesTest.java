package dev.equipoise.testing.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the README and all pages, and that each rule finds a fault made for it. */
class PageRulesTest {

    private static List<String> findings(String text) {
        return PageRules.check(List.of(new SourceFile("docs/a.md", text)));
    }

    @Test
    void allPagesFollowTheRules() {
        List<SourceFile> pages = SourceFile.pagesBelow(Path.of("..").toAbsolutePath().normalize());

        assertThat(pages)
                .extracting(SourceFile::path)
                .contains("README.md", "docs/adr/0001-main-choices.md", "docs/glossary.md");
        assertThat(String.join("\n", PageRules.check(pages))).isEmpty();
    }

    @Test
    void sentencesHaveAmericanSpelling() {
        assertThat(findings("# A\n\nIt asks its Neighbours\nwhat they have learnt."))
                .containsExactly(
                        "docs/a.md:3: the word Neighbours has a British spelling: write Neighbors,"
                                + " or set a code in backticks",
                        "docs/a.md:4: the word learnt has a British spelling: write learned, or"
                                + " set a code in backticks");
        assertThat(findings("The run is cancelled.")).hasSize(1);
    }

    @Test
    void pagesHaveEachHeadingOnce() {
        assertThat(findings("# Runs\n## Failures\n## Start\n### failures\n"))
                .containsExactly(
                        "docs/a.md:4: the heading \"failures\" is on line 2 already: name what"
                                + " differs, or join the two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@R", "@GATE", "@N2", "TODO", "FIXME", "TBD"})
    void pagesHaveNoPlaceholders(String placeholder) {
        assertThat(findings("# A\n\nIt takes (" + placeholder + ") seconds."))
                .containsExactly(
                        "docs/a.md:3: the placeholder "
                                + placeholder
                                + " is left: write what it stands for");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The code `cancelled`, the code \"cancelled\", the state CANCELLED.",
                "[models](modelling.md), https://example.org/colour",
                "# A\n```bash\n# A\nrun --colour # TODO\n```\n",
                "`@R`, `TODO`, @Schema, lab@R2 and a todo list.",
            })
    void codesAndAddressesKeepTheirForm(String text) {
        assertThat(findings(text)).isEmpty();
    }
}
