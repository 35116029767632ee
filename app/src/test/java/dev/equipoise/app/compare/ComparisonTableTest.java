package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.run.RunState;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonTableTest {

    private static final List<ComparedRun> RUNS =
            List.of(TestingComparison.run(1, 0.75, 8.0), TestingComparison.run(2, 0.75, 8.0));

    private static final Comparison COMPARISON =
            new Comparison(
                    RUNS.getFirst().run(),
                    0.5,
                    ComparedAccuracy.MEAN,
                    RUNS,
                    List.of(ComparedGroup.of(RUNS, RUNS, ComparedAccuracy.MEAN)),
                    List.of(),
                    List.of(),
                    List.of());

    @Test
    void groupsPrecedeRunsInTheSameColumns() {
        List<String> lines = ComparisonTable.csv(COMPARISON).lines().toList();

        assertThat(lines.getFirst())
                .startsWith("row,label,name,seed,run,state,runs,completed,reached,finalAccuracy,")
                .contains(
                        ",finalAccuracyLow,finalAccuracyHigh,",
                        ",trainingSpeedup,trainingSpeedupLow,")
                .endsWith(
                        ",accuracyDifference,accuracyDifferenceLow,accuracyDifferenceHigh,commonSeeds");
        assertThat(lines.get(1))
                .startsWith("group,\"a, \"\"b\"\" | c\",,,,,2,2,2,0.75,0.75,0.75,")
                .contains(",8.0,8.0,8.0,2.0,2.0,2.0,4.0,4.0,4.0,0.0,0.0,0.0,0.5,0.5,0.5,")
                .endsWith(",1.0,,,1.0,,,1.0,,,1.0,,,1.0,,,1.0,,,1.0,,,,,,0");
        assertThat(lines.get(2))
                .startsWith(
                        "run,\"a, \"\"b\"\" | c\",\"a, \"\"b\"\" | c, seed 1\",1,00000000-0000-0000-0000-000000000001,COMPLETED,,,,"
                                + "0.75,,,")
                .contains(",8.0,,,2.0,,,4.0,,,0.0,,,0.5,,,800,,,600,,,");
        assertThat(lines).hasSize(4);
    }

    private static Comparison labeled(String label) {
        ComparedRun run = TestingComparison.run(label, -1, 0.75, 8.0, RunState.COMPLETED);
        return new Comparison(
                run.run(),
                null,
                ComparedAccuracy.MEAN,
                List.of(run),
                List.of(ComparedGroup.of(List.of(run), List.of(run), ComparedAccuracy.MEAN)),
                List.of(),
                List.of(),
                List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+2", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"})
    void labelIsNoFormulaAndNumberStaysANumber(String label) {
        String run = ComparisonTable.csv(labeled(label)).split("\n", -1)[2];

        assertThat(run)
                .matches(
                        "(?s)run,\"?'%1$s\"?,\"'%1$s, seed -1\",-1,.*"
                                .formatted(Pattern.quote(label)));
    }

    @Test
    void labelIsEscapedInMarkdown() {
        List<String> lines = ComparisonTable.markdown(labeled("<img src=x> | b")).lines().toList();

        assertThat(lines.get(2)).startsWith("| group | &lt;img src=x&gt; \\| b | ");
    }

    @Test
    void markdownHasTheColumnsOfCsv() {
        List<String> lines = ComparisonTable.markdown(COMPARISON).lines().toList();
        String header = ComparisonTable.csv(COMPARISON).lines().findFirst().orElseThrow();

        assertThat(lines.getFirst()).isEqualTo("| " + header.replace(",", " | ") + " |");
        assertThat(lines.get(1))
                .startsWith("| -- | -- |")
                .hasSize(5 * header.split(",").length + 1);
        assertThat(lines.get(2)).startsWith("| group | a, \"b\" \\| c |  |");
        assertThat(Arrays.stream(lines.get(3).split("(?<!\\\\)\\|", -1)).skip(1))
                .hasSize(header.split(",").length + 1);
        assertThat(lines).hasSize(5);
    }
}
