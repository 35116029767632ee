package dev.equipoise.testing.language;

import static java.util.stream.Collectors.joining;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks the sizes of all main Java sources, and that each limit finds a fault made for it. */
class MeasuresTest {

    private static List<String> findings(String text) {
        return Measures.check(List.of(new SourceFile("app/A.java", text)));
    }

    private static String method(String name, int lines) {
        return "void %s() {\n%s}\n".formatted(name, ";\n".repeat(lines - 2));
    }

    private static String parameters(int count) {
        return range(0, count).mapToObj(i -> "int p" + i).collect(joining(", ", "(", ")"));
    }

    @Test
    void mainSourcesKeepTheLimits() {
        List<SourceFile> files =
                SourceFile.allBelow(Path.of("..").toAbsolutePath().normalize()).stream()
                        .filter(it -> it.path().matches("[\\w-]+/src/main/java/.*"))
                        .toList();

        assertThat(String.join("\n", Measures.check(files))).isEmpty();
    }

    @Test
    void filesHaveAtMost500Lines() {
        assertThat(findings("\n".repeat(500))).isEmpty();
        assertThat(findings("\n".repeat(501)))
                .containsExactly(
                        "app/A.java has 501 lines, more than 500: move a part to a new type");
    }

    @Test
    void methodsHaveAtMost50Lines() {
        assertThat(findings("class A {\n/** Runs. */\n@Override\n" + method("run", 51) + "}"))
                .contains(
                        "app/A.java:3: run has 51 lines, more than 50: move its steps to methods");
        assertThat(findings("class A {\n@Override\n" + method("run", 50) + "}"))
                .noneMatch(it -> it.contains("A.java"));
    }

    @Test
    void mostMethodsAreShort() {
        String nine = method("m", 15).repeat(9);

        assertThat(findings("class A {" + nine + method("m", 35) + "}")).isEmpty();
        assertThat(findings("class A {" + method("m", 16) + nine + method("m", 36) + "}"))
                .containsExactlyInAnyOrder(
                        "app: 90 % of the methods have at most 16 lines, the limit is 15: methods"
                                + " to shorten: 1",
                        "app: 99 % of the methods have at most 36 lines, the limit is 35: methods"
                                + " to shorten: 1");
    }

    @Test
    void constructorsOfClassesHaveAtMost9Parameters() {
        assertThat(findings("class A { A" + parameters(10) + " {} }"))
                .containsExactly(
                        "app/A.java:1: constructor has 10 parameters, more than 9: group them or"
                                + " split the type");
        assertThat(findings("class A { A" + parameters(9) + " {} }")).isEmpty();
        assertThat(findings("record A" + parameters(10) + " { A {} }")).isEmpty();
    }
}
