package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.ConfigurationValues;
import dev.equipoise.app.configuration.WrittenPaths;
import dev.equipoise.app.run.LabeledConfiguration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class LabelsTest {

    private static final WrittenPaths WRITTEN =
            WrittenPaths.of(
                    JsonMapper.shared()
                            .readTree(
                                    """
                                    {"name": "a", "seeds": [1, 2], "synchronization": "bsp",
                                     "workers": {"replicas": 2}}
                                    """));

    /** Creates configurations of one definition. */
    private static List<LabeledConfiguration> of(String... configurations) {
        return Arrays.stream(configurations)
                .map(it ->
                        new LabeledConfiguration(
                                ConfigurationValues.of(JsonMapper.shared().readTree(it)),
                                WRITTEN,
                                Instant.EPOCH))
                .toList();
    }

    @Test
    void runsThatDifferInTheirSeedAloneHaveOneGroup() {
        List<LabeledConfiguration> runs =
                of(
                        """
                        {"name": "a", "seed": 1, "synchronization": {"kind": "bsp"}}
                        """,
                        """
                        {"name": "a", "seed": 1, "synchronization": {"kind": "local-sgd"}}
                        """,
                        """
                        {"name": "a", "seed": 2, "synchronization": {"kind": "bsp"}}
                        """);

        assertThat(Labels.groups(runs)).containsExactly(0, 1, 0);
        assertThat(Labels.ofGroups(runs)).containsExactly("bsp", "local-sgd", "bsp");
    }

    @Test
    void groupsThatDifferInDerivedFieldsAloneAreNumbered() {
        List<LabeledConfiguration> runs =
                of(
                        """
                        {"name": "a", "seed": 1, "checkpoint": {"every": 0}}
                        """,
                        """
                        {"name": "a", "seed": 2, "checkpoint": {"every": 0}}
                        """,
                        """
                        {"name": "a", "seed": 1, "checkpoint": {"every": 1}}
                        """);

        assertThat(Labels.groups(runs)).containsExactly(0, 0, 1);
        assertThat(Labels.ofGroups(runs)).containsExactly("a", "a", "a (2)");
    }

    @Test
    void labelOfAScalingLineHasNeitherSeedNorReplicas() {
        List<LabeledConfiguration> runs =
                of(
                        """
                        {"name": "a", "seed": 1, "synchronization": {"kind": "bsp"},
                         "workers": {"replicas": 2}}
                        """,
                        """
                        {"name": "a", "seed": 2, "synchronization": {"kind": "bsp"},
                         "workers": {"replicas": 4}}
                        """,
                        """
                        {"name": "a", "seed": 1, "synchronization": {"kind": "local-sgd"},
                         "workers": {"replicas": 2}}
                        """);

        assertThat(Labels.ofLines(runs)).containsExactly("bsp", "bsp", "local-sgd");
    }

    @Test
    void labelOfAFieldHasADashWithoutAValue() {
        LabeledConfiguration run =
                of("""
                {"name": "a", "synchronization": {"kind": "bsp"}}
                """)
                        .getFirst();

        assertThat(Labels.ofField(run, "synchronization.kind")).isEqualTo("synchronization=bsp");
        assertThat(Labels.ofField(run, "topology.algorithm")).isEqualTo("topology.algorithm=-");
    }
}
