package dev.equipoise.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class WrittenPathsTest {

    private static WrittenPaths of(String definition) {
        return WrittenPaths.of(JsonMapper.shared().readTree(definition));
    }

    @Test
    void singleValuesAndListsAreWritten() {
        WrittenPaths written =
                of(
                        """
                        {"training": {"batchSize": 16}, "links": [{"delay": 1}]}
                        """);

        assertThat(written.leaves()).containsExactlyInAnyOrder("training.batchSize", "links");
        assertThat(written.contains("training.batchSize")).isTrue();
        assertThat(written.contains("training.epochs")).isFalse();
        assertThat(written.contains("links.delay")).isFalse();
    }

    @Test
    void shortFormOfAChoiceWritesItsKindAlone() {
        WrittenPaths written =
                of(
                        """
                        {"synchronization": "bsp"}
                        """);

        assertThat(written.contains("synchronization.kind")).isTrue();
        assertThat(written.contains("synchronization.period")).isFalse();
    }

    @Test
    void matrixWritesThePathsOfAllItsValues() {
        WrittenPaths written =
                of(
                        """
                        {"matrix": {"workers.replicas": [2, 4],
                          "synchronization": ["bsp", {"kind": "local-sgd", "period": 4}]}}
                        """);

        assertThat(written.leaves())
                .contains("workers.replicas", "synchronization.kind", "synchronization.period")
                .noneMatch(it -> it.startsWith("matrix"));
    }

    @Test
    void seedsWriteTheSeed() {
        assertThat(of("{\"seeds\": [1, 2]}").leaves()).containsExactly("seed");
    }

    @Test
    void choicesOfTheServiceAreWritten() {
        WrittenPaths written = of("{\"workers\": \"auto\"}");

        assertThat(written.contains("workers.replicas")).isTrue();
        assertThat(written.contains("topology.kind")).isFalse();
    }

    @Test
    void pathsOfTwoDefinitionsAreJoined() {
        WrittenPaths joined = of("{\"seed\": 1}").and(of("{\"topology\": \"auto\"}"));

        assertThat(joined.contains("seed")).isTrue();
        assertThat(joined.contains("topology.algorithm")).isTrue();
        assertThat(WrittenPaths.NONE.and(joined)).isEqualTo(joined);
    }
}
