package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Makes the table of published figures at a lab that exists. */
@ExtendWith(SharedLabs.class)
class ResultsIT {

    @TempDir private Path folder;

    private final StandingLab lab;

    ResultsIT(StandingLab lab) {
        this.lab = lab;
    }

    private TestingCommand.Ended results(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("results"));
        words.addAll(List.of(arguments));
        return TestingCommand.run(
                TestingCommand.launch(words.toArray(String[]::new)), lab.environment());
    }

    private Path page(String text) throws IOException {
        return Files.writeString(folder.resolve("results.md"), text);
    }

    @Test
    void tableReplacesThePartOfThePage() throws Exception {
        Path page =
                page(
                        "# Results\n%s\nthe table before\n%s\n"
                                .formatted(MarkedFile.BEGIN, MarkedFile.END));

        TestingCommand.Ended ended =
                results("--stored", "hundredfold", "all-reduce-algorithms", "--output=" + page);

        assertThat(ended.status()).as(ended.output()).isZero();
        String row = "| 40 times less | not run |";
        assertThat(ended.output()).contains(row);
        assertThat(page)
                .content()
                .contains(row, "| Zhu et al., `all-reduce-algorithms` | speedup of a ring")
                .doesNotContain("the table before");
    }

    @Test
    void pageOfResultsHasEveryPublishedFigure() throws Exception {
        TestingCommand.Ended ended = results("--stored");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(published(ended.output()))
                .hasSizeGreaterThan(40)
                .isEqualTo(
                        published(
                                TestingTree.text(TestingCommand.HOME.resolve("docs/results.md"))));
    }

    /** Returns paper, figure and published figure of the lines of the first table. */
    private static List<String> published(String text) {
        return text.lines()
                .dropWhile(line -> !line.startsWith("| paper |"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> String.join("|", List.of(line.split("\\|")).subList(0, 4)))
                .toList();
    }

    /** None of its figures needs a run, so the command ends at once. */
    @Test
    void presetWithoutMeasuredFiguresIsNotRun() throws Exception {
        TestingCommand.Ended ended = results("all-reduce-algorithms", "--scale=small");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("| 2.3 to 4.1 times | it needs 512 ranks")
                .doesNotContain("runs of experiment");
    }

    @Test
    void pageWithoutMarkersAndUnknownPresetsEndWithStatus2() throws Exception {
        TestingCommand.Ended unmarked = results("--stored", "--output=" + page("# Results\n"));
        TestingCommand.Ended unknown = results("--stored", "nothing");

        assertThat(unmarked.status()).as(unmarked.output()).isEqualTo(2);
        assertThat(unmarked.output()).startsWith("equipoise: --output must name a file");
        assertThat(unknown.status()).as(unknown.output()).isEqualTo(2);
        assertThat(unknown.output())
                .startsWith("equipoise: nothing is no preset with published figures");
    }
}
