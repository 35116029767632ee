package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.ConfigurationValues;
import dev.equipoise.app.configuration.WrittenPaths;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunLabelsTest {

    private static JsonNode tree(String text) {
        return JsonMapper.shared().readTree(text);
    }

    /** Creates configurations whose definitions write every value, queued one after the other. */
    private static List<LabeledConfiguration> written(String... configurations) {
        return IntStream.range(0, configurations.length)
                .mapToObj(i ->
                        new LabeledConfiguration(
                                ConfigurationValues.of(tree(configurations[i])),
                                WrittenPaths.of(tree(configurations[i])),
                                Instant.EPOCH.plusSeconds(i)))
                .toList();
    }

    /** Creates configurations of one definition. */
    private static List<LabeledConfiguration> of(String definition, String... configurations) {
        return Arrays.stream(configurations)
                .map(it ->
                        new LabeledConfiguration(
                                ConfigurationValues.of(tree(it)),
                                WrittenPaths.of(tree(definition)),
                                Instant.EPOCH))
                .toList();
    }

    @Test
    void nameChoicesOfTheServiceAndDigestsAreNotCompared() {
        List<LabeledConfiguration> all =
                written(
                        """
                        {"name": "a", "automatic": {"reason": "x"}, "initial": {"run": "r", "digest": "0"}}
                        """,
                        """
                        {"name": "a", "automatic": {"reason": "y"}, "initial": {"run": "r", "digest": "1"}}
                        """);

        assertThat(RunLabels.labels(all)).containsExactly("", "");
        assertThat(RunLabels.differences(all)).isEmpty();
    }

    /** Until the service chooses, a configuration has valid values in the place of choices. */
    @Test
    void openChoiceIsAuto() {
        List<LabeledConfiguration> all =
                of(
                        """
                        {"name": "a", "workers": "auto", "matrix": {"synchronization": ["auto", "bsp"]}}
                        """,
                        """
                        {"name": "a", "synchronization": {"kind": "bsp"}, "workers": {"replicas": 2},
                         "automatic": {"choices": ["synchronization", "workers.replicas"],
                                       "definition": {"name": "a"}}}
                        """,
                        """
                        {"name": "a", "synchronization": {"kind": "bsp"}, "workers": {"replicas": 3},
                         "automatic": {"choices": ["workers.replicas"], "definition": {"name": "a"}}}
                        """);

        assertThat(RunLabels.labels(all)).containsExactly("method auto", "bsp");
    }

    @Test
    void choiceThatTheServiceHasMadeHasItsValue() {
        List<LabeledConfiguration> all =
                of(
                        """
                        {"name": "a", "synchronization": "auto"}
                        """,
                        """
                        {"name": "a", "synchronization": {"kind": "local-sgd"},
                         "automatic": {"choices": ["synchronization"], "reason": "faster"}}
                        """,
                        """
                        {"name": "a", "synchronization": {"kind": "bsp"},
                         "automatic": {"choices": ["synchronization"], "definition": {"name": "a"}}}
                        """);

        assertThat(RunLabels.labels(all)).containsExactly("local-sgd", "method auto");
    }

    @Test
    void kindReplacesTheFieldsThatFollowFromIt() {
        List<LabeledConfiguration> all =
                written(
                        """
                        {"name": "a", "synchronization": {"kind": "bsp"}}
                        """,
                        """
                        {"name": "a", "synchronization": {"kind": "local-sgd", "period": 4}}
                        """);

        assertThat(RunLabels.labels(all)).containsExactly("bsp", "local-sgd");
    }

    @Test
    void fieldsOfOneKindAreNamedIfTheyDiffer() {
        List<LabeledConfiguration> all =
                written(
                        """
                        {"name": "a", "synchronization": {"kind": "bsp"}}
                        """,
                        """
                        {"name": "a", "synchronization": {"kind": "local-sgd", "period": 4}}
                        """,
                        """
                        {"name": "a", "synchronization": {"kind": "local-sgd", "period": 16}}
                        """);

        assertThat(RunLabels.labels(all))
                .containsExactly("bsp", "local-sgd, period 4", "local-sgd, period 16");
    }

    @Test
    void fieldThatOnlySomeHaveIsNamed() {
        List<LabeledConfiguration> all =
                written(
                        """
                        {"name": "a", "links": []}
                        """,
                        """
                        {"name": "a", "links": [{"delay": 1}], "hidden": 8}
                        """);

        assertThat(RunLabels.labels(all))
                .containsExactly("links []", "links [{\"delay\":1}], hidden 8");
    }

    /** BSP beside local SGD: the checkpoint period, the order and the momentum follow. */
    @Test
    void valuesThatFollowFromWrittenOnesAreInNoLabel() {
        List<LabeledConfiguration> all =
                of(
                        """
                        {"name": "methods", "seeds": [1, 2],
                         "matrix": {"synchronization": ["bsp", {"kind": "local-sgd", "period": 4}]}}
                        """,
                        """
                        {"name": "methods", "synchronization": {"kind": "bsp"}, "seed": 1,
                         "checkpoint": {"every": 1}, "execution": {"order": "fixed"}}
                        """,
                        """
                        {"name": "methods", "seed": 2, "checkpoint": {"every": 0},
                         "synchronization": {"kind": "local-sgd", "period": 4, "momentum": "local"}}
                        """);

        assertThat(RunLabels.labels(all)).containsExactly("bsp, seed 1", "local-sgd, seed 2");
        assertThat(RunLabels.differences(all))
                .extracting(it -> it.path() + " " + it.written())
                .containsExactlyInAnyOrder(
                        "synchronization.kind true",
                        "checkpoint.every false",
                        "execution.order false",
                        "seed true");
    }

    @Test
    void wordOfOneChoiceStandsAloneAndOthersHaveTheShortestName() {
        List<LabeledConfiguration> all =
                written(
                        """
                        {"seed": 1, "name": "a", "workers": {"replicas": 2},
                         "topology": {"algorithm": "ring"}, "training": {"batchSize": 16},
                         "compression": {"kind": "none"}}
                        """,
                        """
                        {"seed": 2, "name": "a", "workers": {"replicas": 4},
                         "topology": {"algorithm": "tree"}, "training": {"batchSize": 32},
                         "compression": {"kind": "top-k"}}
                        """);

        assertThat(RunLabels.labels(all))
                .containsExactly(
                        "batchSize 16, replicas 2, ring, compression none, seed 1",
                        "batchSize 32, replicas 4, tree, top-k, seed 2");
    }

    @Test
    void longValueIsShortened() {
        assertThat(RunLabels.labels(written("{\"note\": \"%s\"}".formatted("x".repeat(60)), "{}")))
                .containsExactly("note " + "x".repeat(39) + "…", "");
    }

    /** Lists of layers may begin alike. */
    @Test
    void valuesThatAreEqualAfterTheyAreCutAreNumbered() {
        String start = "x".repeat(60);
        String cut = "note " + "x".repeat(39) + "…";

        assertThat(
                        RunLabels.labels(
                                written(
                                        "{\"note\": \"%sa\"}".formatted(start),
                                        "{\"note\": \"%sb\"}".formatted(start),
                                        "{\"note\": \"%sa\"}".formatted(start))))
                .containsExactly(cut, cut + " (2)", cut);
    }

    @Test
    void experimentPrecedesTheLabelIfThereAreSeveral() {
        List<LabeledConfiguration> all =
                written(
                        """
                        {"name": "one", "period": 1}
                        """,
                        """
                        {"name": "two", "period": 4}
                        """,
                        """
                        {"name": "two", "period": 8}
                        """);

        assertThat(RunLabels.names(all)).containsExactly("one", "two: period 4", "two: period 8");
        assertThat(RunLabels.differences(all))
                .singleElement()
                .satisfies(it -> assertThat(it.values()).containsExactly("1", "4", "8"));
    }

    @Test
    void equalConfigurationsAreNumberedByQueueTime() {
        List<LabeledConfiguration> all =
                written(
                        "{\"name\": \"a\", \"epochs\": 2}",
                        "{\"name\": \"a\", \"epochs\": 2}",
                        "{\"name\": \"a\", \"epochs\": 3}");

        assertThat(RunLabels.names(all.reversed()))
                .containsExactly("epochs 3", "epochs 2 (2)", "epochs 2");
        assertThat(RunLabels.titles(all)).containsExactly("epochs 2", "epochs 2", "epochs 3");
    }

    @Test
    void runWithoutAnyDifferenceHasTheNameOfItsExperiment() {
        assertThat(RunLabels.names(written("{\"name\": \"a\"}", "{\"name\": \"a\"}")))
                .containsExactly("a", "a (2)");
    }

    @Test
    void missingValuesOfADifferenceAreNull() {
        List<LabeledConfiguration> all = written("{\"hidden\": 8}", "{}");

        assertThat(RunLabels.differences(all).getFirst().values()).containsExactly("8", null);
    }
}
