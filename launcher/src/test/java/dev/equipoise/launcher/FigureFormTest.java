package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

class FigureFormTest {

    private static final Offset<Double> EXACT = within(1e-9);

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    private static FigureForm form(String text) {
        return new FigureForm(json(text));
    }

    private static JsonNode configuration(String name, int replicas, int seed) {
        return json(
                "{'name': '%s', 'workers': {'replicas': %d}, 'seed': %d}"
                        .formatted(name, replicas, seed));
    }

    /** Returns a run of 4 epochs of 13 rounds. */
    private static PresetRun run(
            String name, int replicas, int seed, double accuracy, double seconds) {
        return new PresetRun(
                configuration(name, replicas, seed),
                json(
                        "{'finalAccuracy': %s, 'trainingSeconds': %s, 'communicationSeconds': %s, 'encodeSeconds': null}"
                                .formatted(accuracy, seconds, seconds / 4)),
                4,
                13);
    }

    /** Ring: mean accuracy 0.5 and 10 s over two seeds; server: 0.54 and 40 s. */
    private static final List<PresetRun> RUNS =
            List.of(
                    run("ring", 4, 1, 0.48, 8),
                    run("ring", 4, 2, 0.52, 12),
                    run("ring", 2, 1, 0.9, 1000),
                    run("server", 4, 1, 0.53, 30),
                    run("server", 4, 2, 0.55, 50));

    private static void assertMeasured(String form, double least, double most) {
        assertThat(form(form).evaluate(RUNS, "not run"))
                .isInstanceOfSatisfying(
                        Outcome.Measured.class,
                        it -> {
                            assertThat(it.least()).isEqualTo(least, EXACT);
                            assertThat(it.most()).isEqualTo(most, EXACT);
                        });
    }

    /** The selectors choose four replicas; the ratio is one of means, not a mean of ratios. */
    @ParameterizedTest
    @CsvSource({
        "trainingSeconds, ratio, 0.25",
        "trainingSeconds, saved, 75",
        "finalAccuracy, difference, -4",
    })
    void formComparesMeansOverSeeds(String figure, String form, double value) {
        assertMeasured(
                """
                {'figure': '%s', 'of': {'name': 'ring', 'workers.replicas': 4},
                 'against': {'name': 'server'}, 'as': '%s'}
                """
                        .formatted(figure, form),
                value,
                value);
    }

    @ParameterizedTest
    @CsvSource({
        "finalAccuracy, run, 50",
        "trainingSeconds, run, 10",
        "trainingSeconds, epoch, 2.5",
        "trainingSeconds, round, 0.19230769230769232",
    })
    void valueIsOfTheTrainingOrAPartOfIt(String figure, String per, double value) {
        assertMeasured(
                "{'figure': '%s', 'per': '%s', 'of': {'name': 'ring', 'workers.replicas': 4}, 'as': 'value'}"
                        .formatted(figure, per),
                value,
                value);
    }

    @Test
    void shareIsInPercent() {
        assertMeasured(
                "{'figure': 'communicationSeconds', 'over': 'trainingSeconds', 'of': {'name': 'server'}, 'as': 'value'}",
                25,
                25);
    }

    @Test
    void severalGroupsGiveTheLeastAndTheGreatestValue() {
        assertMeasured(
                """
                {'figure': 'trainingSeconds', 'of': {'name': 'ring', 'workers.replicas': 4},
                 'against': {'name': ['server', 'ring'], 'workers.replicas': [2, 4]}, 'as': 'ratio'}
                """,
                0.01,
                1);
    }

    @Test
    void figureWithoutACompletedRunHasTheGivenReason() {
        List<PresetRun> runs =
                List.of(
                        run("ring", 4, 1, 0.48, 8),
                        new PresetRun(
                                configuration("ring", 4, 2), MissingNode.getInstance(), 0, 0));

        assertThat(
                        form("{'figure': 'trainingSeconds', 'of': {'name': 'ring'}, 'as': 'value'}")
                                .evaluate(runs, "not run"))
                .isEqualTo(new Outcome.Absent("not run"));
    }

    @Test
    void selectorWithoutRunsGivesNoFigure() {
        assertThat(
                        form("{'figure': 'trainingSeconds', 'of': {'name': 'tree'}, 'as': 'value'}")
                                .evaluate(RUNS, "not run"))
                .isEqualTo(new Outcome.Absent("no run of this scale is selected"));
    }

    @Test
    void figureThatARunDoesNotHaveIsAbsent() {
        assertThat(
                        form("{'figure': 'encodeSeconds', 'of': {'name': 'ring'}, 'as': 'value'}")
                                .evaluate(RUNS, "not run"))
                .isEqualTo(new Outcome.Absent("a run has no encodeSeconds, or divides by 0"));
    }

    @Test
    void formNeedsTheRunsOfBothOperandsAlone() {
        FigureForm form =
                form(
                        "{'figure': 'trainingSeconds', 'of': {'name': 'ring', 'workers.replicas': 4}, 'against': {'name': 'server'}, 'as': 'ratio'}");

        assertThat(form.isOver(configuration("ring", 4, 1))).isTrue();
        assertThat(form.isOver(configuration("server", 2, 1))).isTrue();
        assertThat(form.isOver(configuration("ring", 2, 1))).isFalse();
        assertThat(
                        form("{'figure': 'trainingSeconds', 'of': {'name': 'ring'}, 'as': 'value'}")
                                .isOver(configuration("server", 4, 1)))
                .isFalse();
    }
}
