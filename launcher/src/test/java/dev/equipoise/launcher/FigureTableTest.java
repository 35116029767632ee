package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class FigureTableTest {

    private static String row(String published, Outcome outcome) {
        return row(published, outcome, Optional.empty());
    }

    private static String row(String published, Outcome outcome, Optional<String> otherScale) {
        return FigureTable.of(
                        List.of(
                                new FigureTable.Line(
                                        "Li et al.",
                                        "language-models",
                                        JsonMapper.shared().readTree(published.replace('\'', '"')),
                                        outcome,
                                        otherScale)))
                .lines()
                .skip(2)
                .findFirst()
                .orElseThrow();
    }

    private static String cells(String published, double least, double most) {
        return row(
                "{'what': 'time', 'where': 'table 4', %s}".formatted(published),
                new Outcome.Measured(least, most));
    }

    @Test
    void tableHasAHeadAndALineForEachFigure() {
        assertThat(FigureTable.of(List.of()))
                .isEqualTo(
                        """
                        | paper | figure | published | ours | distance |
                        | --- | --- | --- | --- | --- |
                        """);
        assertThat(cells("'value': 317.22, 'unit': 's'", 300, 300))
                .isEqualTo(
                        "| Li et al., `language-models` | time (table 4) | 317.22 s | 300 s |"
                                + " -5.4 % |");
    }

    @ParameterizedTest
    @CsvSource({
        "times, 40, 106, +165.0 %",
        "s, 0.208, 0.196, -5.8 %",
        "%, 25, 41.25, +16.25 points",
        "points, -0.1, 0.11, +0.21 points",
        "points, -0.2, -0.5, -0.30 points",
        "times, 40, 40, +0.0 %",
    })
    void distanceIsInPercentOrInPoints(
            String unit, double published, double ours, String distance) {
        assertThat(cells("'value': %s, 'unit': '%s'".formatted(published, unit), ours, ours))
                .endsWith(" | %s |".formatted(distance));
    }

    @ParameterizedTest
    @CsvSource({
        "2, 2, within",
        "2, 5, within",
        "3, 5.5, +10.0 %",
        "1, 4, -50.0 %",
        "1.9, 10, +100.0 %",
    })
    void distanceFromARangeIsThatFromItsNearestEnd(double least, double most, String distance) {
        assertThat(cells("'range': [2, 5], 'unit': 'times'", least, most))
                .contains("| 2 to 5 times |")
                .endsWith(" | %s |".formatted(distance));
    }

    @Test
    void severalGroupsShowTheirLeastAndGreatestValue() {
        assertThat(cells("'range': [2, 4], 'unit': 'points'", 1.23456, 3))
                .endsWith("| 2 to 4 points | 1.235 to 3 points | -0.77 points |");
    }

    @ParameterizedTest
    @CsvSource({"published-times, 0.208 s (published-times)", ", 0.208 s"})
    void figureOfAnotherScaleNamesIt(@Nullable String otherScale, String cell) {
        assertThat(
                        row(
                                "{'what': 'a', 'where': 'c', 'value': 0.208, 'unit': 's'}",
                                new Outcome.Measured(0.208, 0.208),
                                Optional.ofNullable(otherScale)))
                .isEqualTo(
                        "| Li et al., `language-models` | a (c) | 0.208 s | %s | +0.0 %% |"
                                .formatted(cell));
    }

    @Test
    void figureWithoutOursHasItsReason() {
        assertThat(
                        row(
                                "{'what': 'a|b', 'where': 'c', 'value': 1, 'unit': 's'}",
                                new Outcome.Absent("not run")))
                .isEqualTo("| Li et al., `language-models` | a\\|b (c) | 1 s | not run |  |");
    }
}
