package dev.equipoise.testing.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the types that the README and the pages name, and that each fault is found. */
class TypeNamesTest {

    private static final List<SourceFile> SOURCES =
            List.of(
                    new SourceFile(
                            "app/src/main/java/dev/equipoise/app/run/Reports.java",
                            "public class Reports {\n    void receive() {}\n}"));

    private static List<String> findings(String path, String text) {
        return TypeNames.check(List.of(new SourceFile(path, text)), SOURCES);
    }

    /** Old ADRs are immutable and name the types of their time, so they are left out. */
    @Test
    void pagesNameTypesThatExist() {
        Path root = Path.of("..").toAbsolutePath().normalize();
        List<SourceFile> pages =
                SourceFile.pagesBelow(root).stream()
                        .filter(it -> !it.path().startsWith("docs/adr/"))
                        .toList();

        assertThat(pages)
                .extracting(SourceFile::path)
                .contains("README.md", "docs/architecture.md", "docs/glossary.md");
        assertThat(String.join("\n", TypeNames.check(pages, SourceFile.allBelow(root)))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    RunRecovery       | no source declares a type RunRecovery: write its present name, or add it to the names of others in TypeNames
                    ReportsIT         | no source declares a type ReportsIT: write its present name, or add it to the names of others in TypeNames
                    dispatch.Reports  | the package dispatch has no type Reports, which is in app/src/main/java/dev/equipoise/app/run/Reports.java
                    Reports.record    | app/src/main/java/dev/equipoise/app/run/Reports.java has no member record
                    """)
    void findsNamesOfTheTree(String name, String fault) {
        assertThat(findings("docs/a.md", "It is\n\n```\nsome code\n```\n`" + name + "` now."))
                .containsExactly("docs/a.md:6: " + fault);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "`run.Reports`, `app.run.Reports`, `Reports`, `Reports.receive()`",
                "`ETag`, `QUEUED`, `batchSize`, `GET /Runs`, RunRecovery, `V_base`",
                "```java\n`RunRecovery`\n```",
            })
    void acceptsWhatExistsOrIsNoType(String text) {
        assertThat(findings("docs/a.md", text)).isEmpty();
    }

    @Test
    void glossaryNamesTypesOfOtherSystems() {
        String row = "| report | A report tells. | Trino (`NodeAllocator`) | `%s` |";

        assertThat(findings("docs/glossary.md", row.formatted("Reports"))).isEmpty();
        assertThat(findings("docs/glossary.md", row.formatted("Letters"))).hasSize(1);
    }
}
