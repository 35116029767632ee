package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A preset with the runs ring and server, at the scales small and times. */
class PublishedPresetTest {

    /** The form of the first figure holds at all scales, that of the second at one. */
    private static final JsonNode DESCRIPTION =
            json(
                    """
                    {'name': 'rings', 'paper': 'Li et al.', 'scales': {'small': {}, 'times': {}},
                     'published': [
                       {'what': 'ring', 'value': 8, 'unit': 's', 'where': 'table 4',
                        'ours': {'figure': 'trainingSeconds', 'of': {'name': 'ring'}, 'as': 'value',
                                 'scales': []}},
                       {'what': 'server', 'value': 9, 'unit': 's', 'where': 'table 4',
                        'because': 'other links differ',
                        'ours': {'figure': 'trainingSeconds', 'of': {'name': 'server'},
                                 'as': 'value', 'scales': ['times']}},
                       {'what': 'sentences', 'value': 3, 'unit': 's', 'where': 'table 4',
                        'because': 'it is a setting', 'ours': null}]}
                    """);

    private static final ScaledPreset SMALL = scaled("small", 1);
    private static final ScaledPreset TIMES = scaled("times", 2);

    private static final Map<String, List<PresetRun>> RUNS =
            Map.of("small", runs(SMALL, 10, 20), "times", runs(TIMES, 30, 40));

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    private static ScaledPreset scaled(String scale, int epochs) {
        return new ScaledPreset(
                scale, List.of(definition("ring", epochs), definition("server", epochs)));
    }

    private static ScaledPreset.Definition definition(String name, int epochs) {
        String text = "{'name': '%s', 'epochs': %d}".formatted(name, epochs);
        return new ScaledPreset.Definition(
                new ServiceApi.Document("application/json", text), List.of(json(text)));
    }

    private static List<PresetRun> runs(ScaledPreset scaled, int ring, int server) {
        List<JsonNode> configurations = scaled.configurations();
        return List.of(run(configurations.getFirst(), ring), run(configurations.getLast(), server));
    }

    private static PresetRun run(JsonNode configuration, int seconds) {
        return new PresetRun(
                configuration, json("{'trainingSeconds': %d}".formatted(seconds)), 1, 1);
    }

    private static PublishedPreset preset(List<String> wanted, ScaledPreset... scales) {
        return new PublishedPreset(DESCRIPTION, wanted, List.of(scales));
    }

    private static Outcome seconds(int seconds) {
        return new Outcome.Measured(seconds, seconds);
    }

    @Test
    void figureIsMeasuredAtTheFirstScaleWhereItsFormHolds() {
        List<FigureTable.Line> lines =
                preset(List.of("small", "times"), SMALL, TIMES).lines(RUNS, "not run");

        assertThat(lines)
                .extracting(FigureTable.Line::outcome)
                .containsExactly(seconds(10), seconds(40), new Outcome.Absent("it is a setting"));
        assertThat(lines)
                .extracting(FigureTable.Line::otherScale)
                .containsExactly(Optional.empty(), Optional.of("times"), Optional.empty());
    }

    @Test
    void orderOfTheScalesDecides() {
        List<FigureTable.Line> lines =
                preset(List.of("times", "small"), TIMES, SMALL).lines(RUNS, "not run");

        assertThat(lines)
                .extracting(FigureTable.Line::outcome)
                .startsWith(seconds(30), seconds(40));
        assertThat(lines).extracting(FigureTable.Line::otherScale).containsOnly(Optional.empty());
    }

    @Test
    void firstScaleIsThatOfTheCommandAndNotOfThePreset() {
        assertThat(preset(List.of("full", "small"), SMALL).lines(RUNS, "not run"))
                .extracting(FigureTable.Line::otherScale)
                .containsExactly(Optional.of("small"), Optional.empty(), Optional.empty());
    }

    @Test
    void figureHasItsReasonIfItsFormHoldsAtNoScale() {
        assertThat(preset(List.of("small"), SMALL).lines(RUNS, "not run"))
                .extracting(FigureTable.Line::outcome)
                .containsExactly(
                        seconds(10),
                        new Outcome.Absent("other links differ"),
                        new Outcome.Absent("it is a setting"));
    }

    @Test
    void presetWithoutTheScalesSaysSo() {
        assertThat(preset(List.of("full", "huge")).lines(Map.of(), "not run"))
                .extracting(FigureTable.Line::outcome)
                .containsOnly(new Outcome.Absent("the preset has no scale full or huge"));
    }

    @Test
    void onlyDefinitionsThatAFigureNeedsAtItsScaleAreMissing() {
        PublishedPreset preset = preset(List.of("small", "times"), SMALL, TIMES);
        ScaledPreset ring = new ScaledPreset("small", List.of(definition("ring", 1)));
        ScaledPreset server = new ScaledPreset("times", List.of(definition("server", 2)));

        assertThat(preset.missing(new StoredRuns(Map.of()))).containsExactly(ring, server);
        assertThat(
                        preset.missing(
                                new StoredRuns(
                                        Map.of(ring.configurations().getFirst(), json("{}")))))
                .containsExactly(server);
    }
}
