package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class ExperimentPresetTest {

    /** The limit of one comparison. */
    private static final int MAX_RUNS = 100;

    /** The number of agents that the launcher starts on one machine. */
    private static final int MAX_LOCAL_WORKERS = 8;

    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    private static ExperimentPreset preset(String yaml) {
        return ExperimentPreset.of("test", YAML.readValue(yaml, ExperimentPreset.File.class));
    }

    private static Stream<Arguments> everyPresetAtEveryScale() {
        return new ExperimentPresets()
                .all().stream()
                        .flatMap(preset ->
                                preset.scales().keySet().stream()
                                        .map(scale -> Arguments.of(preset, scale)));
    }

    @ParameterizedTest
    @MethodSource("everyPresetAtEveryScale")
    void everyPresetIsAValidSubmission(ExperimentPreset preset, String scale) {
        List<RunConfiguration> runs =
                preset.at(scale).stream()
                        .flatMap(
                                definition -> Definition.read(definition).configurations().stream())
                        .toList();

        assertThat(runs).hasSizeBetween(2, MAX_RUNS);
    }

    @ParameterizedTest
    @MethodSource("everyPresetAtEveryScale")
    void noScaleSetsAFieldOfTheGrid(ExperimentPreset preset, String scale) {
        for (ObjectNode definition : preset.at(scale)) {
            assertThat(preset.scales().getOrDefault(scale, Map.of()).keySet())
                    .noneMatch(definition.path("matrix")::has);
        }
    }

    @Test
    void smallScaleOfEveryPresetFitsOneMachine() {
        for (ExperimentPreset preset : new ExperimentPresets().all()) {
            for (ObjectNode definition : preset.at("small")) {
                assertThat(Definition.read(definition).configurations())
                        .as(preset.name())
                        .allMatch(run -> run.workersWanted() <= MAX_LOCAL_WORKERS);
            }
        }
    }

    /**
     * Caffe's examples/cifar10/cifar10_quick_solver.prototxt, at the iterations of S5's table 1.
     */
    @Test
    void fullScaleOfCifar10ParityHasTheSettingsOfCaffe() {
        ExperimentPreset parity =
                new ExperimentPresets()
                        .all().stream()
                                .filter(it -> it.name().equals("cifar10-parity"))
                                .findFirst()
                                .orElseThrow();
        var solver =
                new OptimizerSpec.Sgd(
                        0.001, 0.9, false, 0.004, new Schedule.Constant(0), new Clipping.None());

        for (ObjectNode definition : parity.at("full")) {
            assertThat(Definition.read(definition).configurations())
                    .hasSize(3)
                    .allSatisfy(run -> {
                        assertThat(run.training().optimizer()).isEqualTo(solver);
                        assertThat(run.dataset().limit()).isEqualTo(50_000);
                        assertThat(run.training().batchSize() * run.workers().replicas())
                                .isEqualTo(100);
                        assertThat(run.rounds() * run.training().epochs()).isEqualTo(40_000);
                    });
        }
    }

    @Test
    void definitionsOverrideTheCommonPartAndTheScaleOverridesAll() {
        List<ObjectNode> definitions =
                preset(
                                """
                                title: two
                                about: both
                                source: []
                                scales: { small: { training.epochs: 1, seeds: [1] }, full: {} }
                                experiment: { training: { epochs: 9, batchSize: 64 }, synchronization: bsp }
                                experiments:
                                  - { name: one }
                                  - { name: other, training.batchSize: 8, synchronization.period: 4 }
                                """)
                        .at("small");

        assertThat(definitions)
                .map(JsonNode.class::cast)
                .containsExactly(
                        YAML.readTree(
                                """
                                training: { epochs: 1, batchSize: 64 }
                                synchronization: bsp
                                name: one
                                seeds: [1]
                                """),
                        YAML.readTree(
                                """
                                training: { epochs: 1, batchSize: 8 }
                                synchronization: { kind: bsp, period: 4 }
                                name: other
                                seeds: [1]
                                """));
    }

    @Test
    void definitionTakesNoPartInScalesFromWhichItIsAbsent() {
        ExperimentPreset preset =
                preset(
                        """
                        title: two
                        about: both
                        source: []
                        scales: { small: {}, published: {} }
                        experiments:
                          - { name: one }
                          - { name: other, scales: { small: absent } }
                        """);

        assertThat(preset.at("small"))
                .extracting(it -> it.path("name").asString())
                .containsExactly("one");
        assertThat(preset.at("published"))
                .extracting(it -> it.path("name").asString())
                .containsExactly("one", "other");
    }

    @Test
    void definitionOverridesTheScaleByItsOwnValues() {
        List<ObjectNode> definitions =
                preset(
                                """
                                title: two
                                about: both
                                source: []
                                scales: { small: { training.batchSize: 8 }, full: {} }
                                experiment: { training: { batchSize: 64 } }
                                experiments:
                                  - { name: one }
                                  - { name: other, scales: { small: { training.batchSize: 4 } } }
                                """)
                        .at("small");

        assertThat(definitions.get(0).at("/training/batchSize").intValue()).isEqualTo(8);
        assertThat(definitions.get(1).at("/training/batchSize").intValue()).isEqualTo(4);
        assertThat(definitions.get(1).has("scales")).isFalse();
    }

    @Test
    void scalesOfDefinitionsMustExistAndBeUsed() {
        String preset =
                """
                { title: one, about: it, source: [], scales: { small: {}, full: {} },
                  experiments: [{ name: one, scales: %s }] }
                """;

        assertThatThrownBy(() -> preset(preset.formatted("{ huge: { seed: 1 } }")))
                .hasMessage(
                        "the scales of a definition must be among [small, full], but are [huge]");
        assertThatThrownBy(() -> preset(preset.formatted("{ full: absent }")))
                .hasMessage("the scale full has no definition");
    }

    @Test
    void scalesOfDefinitionsAreValuesOrAbsent() {
        String preset =
                """
                { title: one, about: it, source: [], scales: { small: {} },
                  experiments: [{ name: one, scales: %s }] }
                """;

        assertThatThrownBy(() -> preset(preset.formatted("{ small: never }")))
                .hasMessage(
                        "the scale small of a definition must be an object of values or absent, but"
                                + " is \"never\"");
        assertThatThrownBy(() -> preset(preset.formatted("[small]")))
                .hasMessage("the scales of a definition must be an object, but are [\"small\"]");
    }

    /** Moreno-Álvarez and others, table II and figures 3 to 5; the paper does not give the rate. */
    @ParameterizedTest
    @CsvSource({"published, 2133, 60000, 9, 7", "published-fifth, 427, 12000, 9, 7"})
    void publishedLineOfBatchCountsHasTheSettingsOfItsPaper(
            String scale, int batchSize, int samples, int homogeneous, int heterogeneous) {
        List<RunConfiguration> runs =
                new ExperimentPresets()
                        .find("asgd-heterogeneous").at(scale).stream()
                                .flatMap(it -> Definition.read(it).configurations().stream())
                                .toList();

        assertThat(runs)
                .extracting(RunConfiguration::partitioning)
                .containsExactly(
                        counts(1, 1, 1),
                        counts(1, 1, 1),
                        counts(1, 1, 1),
                        counts(1, 1, 2),
                        counts(1, 1, 2),
                        counts(1, 1, 2));
        assertThat(runs).extracting(RunConfiguration::seed).containsExactly(1L, 2L, 3L, 1L, 2L, 3L);
        for (RunConfiguration run : runs) {
            int rounds = run.partitioning().equals(counts(1, 1, 1)) ? homogeneous : heterogeneous;
            assertThat(run.rounds()).isEqualTo(rounds);
            assertThat(run.training().batchSize()).isEqualTo(batchSize);
            assertThat(run.dataset().limit()).isEqualTo(samples);
            assertThat(run.training().epochs()).isEqualTo(200);
            assertThat(run.training().optimizer()).isEqualTo(new OptimizerSpec.Sgd(0.1));
            assertThat(run.synchronization())
                    .isEqualTo(
                            new Synchronization.Async(
                                    null,
                                    Synchronization.Weighting.UNWEIGHTED,
                                    new StalenessCorrection.None(),
                                    rounds,
                                    Synchronization.OwnStep.AT_ONCE));
        }
    }

    private static Partitioning counts(Integer... counts) {
        return new Partitioning.BatchCounts(List.of(counts));
    }

    @Test
    void firstScaleIsTheDefault() {
        ExperimentPreset preset =
                preset(
                        """
                        { title: one, about: it, source: [], scales: { tiny: {}, all: {} }, experiment: {} }
                        """);

        assertThat(preset.defaultScale()).isEqualTo("tiny");
        assertThatThrownBy(() -> preset.at("huge"))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("?scale must be one of [tiny, all]");
    }

    @ParameterizedTest
    @MethodSource("everyPresetAtEveryScale")
    void everyValueInASelectorOfAPublishedFigureChoosesRuns(ExperimentPreset preset, String scale) {
        List<JsonNode> runs =
                preset.at(scale).stream()
                        .flatMap(it -> Definition.read(it).configurations().stream())
                        .map(it -> YAML.<JsonNode>valueToTree(it))
                        .toList();

        for (PublishedFigure figure : preset.published()) {
            MeasuredFigure ours = figure.ours();
            if (ours != null && ours.isAt(scale)) {
                Stream.concat(Stream.of(ours.of()), Stream.ofNullable(ours.against()))
                        .flatMap(ExperimentPresetTest::single)
                        .forEach(it ->
                                assertThat(runs)
                                        .as("%s: %s", figure.what(), it)
                                        .anyMatch(run -> isChosen(run, it)));
            }
        }
    }

    /** Returns selectors of which each must choose a run: one for each value of each list. */
    private static Stream<Map<String, Object>> single(Map<String, Object> selector) {
        return Stream.concat(
                Stream.of(selector),
                selector.entrySet().stream()
                        .flatMap(field ->
                                ((JsonNode) field.getValue())
                                        .valueStream()
                                        .map(value -> {
                                            Map<String, Object> one = new HashMap<>(selector);
                                            one.put(field.getKey(), value);
                                            return one;
                                        })));
    }

    private static boolean isChosen(JsonNode run, Map<String, Object> selector) {
        return selector.entrySet().stream()
                .allMatch(field -> {
                    JsonNode wanted = (JsonNode) field.getValue();
                    JsonNode found = run.at("/" + field.getKey().replace('.', '/'));
                    return wanted.isArray()
                            ? wanted.valueStream().anyMatch(it -> it.equals(found))
                            : wanted.equals(found);
                });
    }

    @Test
    void publishedFiguresNeedAPaper() {
        String preset =
                """
                { title: one, about: it, source: [], %s scales: { small: {} }, experiment: {},
                  published: [{ what: a, value: 1, unit: s, where: b, because: c }] }
                """;

        assertThat(preset(preset.formatted("paper: d,")).paper()).isEqualTo("d");
        assertThatThrownBy(() -> preset(preset.formatted("")))
                .hasMessage("published figures must have a paper");
    }
}
