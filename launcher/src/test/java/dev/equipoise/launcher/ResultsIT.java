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

    private Path markedPage() throws IOException {
        return page(
                "# Results\n%s\nthe table before\n%s\n"
                        .formatted(MarkedFile.FIGURES.begin(), MarkedFile.FIGURES.end()));
    }

    @Test
    void tableOfSeveralScalesReplacesThePartOfThePage() throws Exception {
        Path page = markedPage();

        TestingCommand.Ended ended =
                results(
                        "--stored",
                        "--scale=small,published-times,published-fifth,lomonosov-32-times",
                        "--output=" + page);

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(published(Files.readString(page)))
                .hasSizeGreaterThan(40)
                .isEqualTo(published(ended.output()));
        assertThat(page)
                .content()
                .contains(
                        "| 40 times less | not run |",
                        "| 0.208 s an iteration | not run (published-times) |",
                        "| 96.49 % | not run (published-fifth) |",
                        "| 2 to 3 times less | not run (lomonosov-32-times) |")
                .doesNotContain("the table before");
    }

    @Test
    void presetHasItsLinesAlone() throws Exception {
        TestingCommand.Ended ended = results("hundredfold", "--stored");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(published(ended.output()).stream().skip(2))
                .singleElement()
                .asString()
                .contains("Tolstobrov, `hundredfold`");
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
    void presetsWithAPageEndWithStatus2() throws Exception {
        Path page = markedPage();

        TestingCommand.Ended ended = results("hundredfold", "--stored", "--output=" + page);

        assertThat(ended.status()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output())
                .startsWith("equipoise: --output replaces the table of all presets")
                .contains("omit the presets, or omit --output");
        assertThat(page).content().contains("the table before");
    }

    @Test
    void unknownScaleEndsWithStatus2() throws Exception {
        TestingCommand.Ended unknown = results("hundredfold", "--stored", "--scale=small,huge");
        TestingCommand.Ended none = results("--stored", "--scale=,");

        assertThat(unknown.status()).as(unknown.output()).isEqualTo(2);
        assertThat(unknown.output())
                .startsWith(
                        "equipoise: --scale must list some of [small, full], the scales of"
                                + " hundredfold, but has \"huge\"");
        assertThat(none.status()).as(none.output()).isEqualTo(2);
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
