package dev.equipoise.testing.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the language of the whole repository, and that each rule finds a fault made for it. */
class LanguageTest {

    private static List<String> findings(String path, String text) {
        return LanguageRules.check(List.of(new SourceFile(path, text)));
    }

    @Test
    void allSourcesFollowTheRules() {
        List<SourceFile> files = SourceFile.allBelow(Path.of("..").toAbsolutePath().normalize());

        assertThat(files)
                .extracting(SourceFile::module)
                .contains("app", "clients", "protocol", "web-ui", "worker-agent");
        assertThat(String.join("\n", LanguageRules.check(files))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Who", "What", "Whose", "Of", "Those", "One that", "The same"})
    void firstSentenceBeginsWithANamedThing(String beginning) {
        assertThat(findings("app/A.java", "package a;\n\n/**\n * " + beginning + " waits.\n */"))
                .containsExactly(
                        "app/A.java:3: the documentation begins with \""
                                + beginning
                                + "\": begin"
                                + " with the named thing or its verb, as in \"Largest mini-batch of"
                                + " a rank, in samples.\"");
        assertThat(findings("web-ui/a.ts", "/** " + beginning + " waits. */")).hasSize(1);
        assertThat(findings("clients/a.py", "\"\"\"" + beginning + " waits.\"\"\"")).hasSize(1);
        assertThat(findings("app/A.java", "/** Waits.\n\n" + beginning + ". */ // " + beginning))
                .isEmpty();
    }

    @Test
    void publicTypesOfAModuleHaveDifferentNames() {
        var one =
                new SourceFile("app/one/Shop.java", "class Shop {\n    public record Work() {}\n}");
        var other = new SourceFile("app/two/Work.java", "\n\npublic final class Work {}");
        var hidden = new SourceFile("app/three/Work.java", "final class Work {}");
        var elsewhere = new SourceFile("performance/Work.java", "public enum Work {}");

        assertThat(LanguageRules.check(List.of(one, other, hidden, elsewhere)))
                .containsExactly(
                        "app/two/Work.java:3: the public type Work has a namesake in its module,"
                                + " app/one/Shop.java:2: rename one so that its name tells which"
                                + " it is");
    }

    @ParameterizedTest
    @CsvSource({
        "initialise, initialize",
        "NeighbourExchange, NeighborExchange",
        "MAX_COLOURS, MAX_COLORS",
        "is_unlabelled, is_unlabeled",
        "xCentredAtZero, xCenteredAtZero",
        "HTTPSerialiser, HTTPSerializer"
    })
    void identifiersHaveAmericanSpelling(String british, String american) {
        assertThat(findings("app/A.java", "class A {\n    int " + british + ";\n}"))
                .containsExactly(
                        "app/A.java:2: the identifier %s has a British spelling: write %s"
                                .formatted(british, american));
        assertThat(findings("web-ui/a.ts", "const " + british + " = 1;")).hasSize(1);
        assertThat(findings("clients/a.py", british + " = 1")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "int a; // the colour\n",
                "/* the colour */",
                "/** Tells the colour of {@code grey}. */",
                "String text = \"the colour\";",
                "String text = \"\"\"\n    the colour\n    \"\"\";",
            })
    void commentsAndMessagesHaveAmericanSpelling(String source) {
        int line = source.contains("\n    ") ? 2 : 1;

        assertThat(findings("app/src/main/java/A.java", source))
                .containsExactly(
                        "app/src/main/java/A.java:%d: the word colour has a British spelling: write color, or set a code in backticks"
                                .formatted(line));
    }

    @Test
    void messagesOfTheDashboardAndOfTheClientHaveAmericanSpelling() {
        assertThat(findings("web-ui/src/a.ts", "const text = `the colour ${colour}`;")).hasSize(1);
        assertThat(findings("web-ui/src/a.ts", "const text = 'the colour';")).hasSize(1);
        assertThat(findings("clients/a.py", "\"\"\"Tells the colour.\"\"\"")).hasSize(1);
        assertThat(findings("clients/a.py", "text = \"the colour\"")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "enum State { CANCELLED }",
                "boolean tokenIsEmpty, optimistic, parallelism, specialist, otherwise;",
                "import org.other.colour.Colours;",
                "String code = \"colour\"; char c = '\\'';",
                "String query = \"where state <> CANCELLED\";",
                "/** @param ageing see {@code colour-cancelled} and the code \"cancelled\" */",
                "/** See {@link Colour#grey} and `colour`. */",
            })
    void codesImportsAndCitedCodeKeepTheirSpelling(String source) {
        assertThat(findings("app/A.java", source)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app/src/test/java/A.java",
                "web-ui/e2e/a.ts",
                "web-ui/src/a.test.ts",
                "web-ui/src/app/testing-service.ts",
                "clients/python/test_a.py",
            })
    void textsOfTestsKeepTheirSpelling(String path) {
        assertThat(findings(path, "text = \"the \\\" colour\"")).isEmpty();
    }

    @Test
    void escapedQuotesDoNotEndAText() {
        String block = "text = \"\"\"\n the \\\"\"\" colour\n\"\"\";";
        assertThat(findings("app/src/test/java/A.java", block)).isEmpty();
        assertThat(findings("web-ui/e2e/a.ts", "text = `the \\` colour`;")).isEmpty();
    }
}
