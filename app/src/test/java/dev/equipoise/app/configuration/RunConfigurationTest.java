package dev.equipoise.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.RunId;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class RunConfigurationTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** A configuration as stored and served; workload keys depend on the order of its fields. */
    private static final String STORED =
            """
            {"apiVersion": "equipoise/v1", "name": "e",
             "dataset": {"name": "mnist", "normalisation": {"kind": "unit"}, "limit": 1000},
             "network": {"preset": "mnist-cnn"},
             "training": {
                 "epochs": 3, "batchSize": 64,
                 "loss": {"kind": "softmax-cross-entropy", "reduction": "mean"},
                 "optimizer": {"kind": "sgd", "learningRate": 0.05, "momentum": 0.0,
                     "nesterov": false, "schedule": {"kind": "constant", "warmUp": 0.0},
                     "clipping": {"kind": "none"}}},
             "workers": {"replicas": 2, "minimum": 1, "selector": {"rack": "a"}},
             "partitioning": {"kind": "equal"},
             "synchronization": {"kind": "bsp"},
             "topology": {"kind": "all-reduce", "algorithm": "ring", "order": "by-rank"},
             "compression": {"kind": "none"}, "channel": "direct",
             "heterogeneity": {"links": [], "slowDown": {"1": 2.0}, "slowDownFrom": 1},
             "execution": {"kind": "real"},
             "evaluation": {"every": 1, "replicas": "last", "compared": "replicas"},
             "trace": false, "record": true, "keepModel": "best",
             "preemption": "allowed", "checkpoint": {"every": 1, "keep": 2}, "restarts": 5,
             "seed": 7}
            """;

    private static RunConfiguration read(ObjectNode stored) {
        return JSON.treeToValue(stored, RunConfiguration.class);
    }

    private static ObjectNode stored() {
        return (ObjectNode) JSON.readTree(STORED);
    }

    @Test
    void jsonHasTheFieldsOfAllGroupsOnOneLevel() {
        RunConfiguration configuration = read(stored());

        assertThat(configuration.training().epochs()).isEqualTo(3);
        assertThat(configuration.workers().selector()).containsEntry("rack", "a");
        assertThat(configuration.slowDown(1)).isEqualTo(2);
        assertThat(configuration.execution()).isEqualTo(new Execution.Real());
        assertThat(configuration.instrumentation().record()).isTrue();
        assertThat(configuration.isPreemptible()).isTrue();
        assertThat(configuration.seed()).isEqualTo(7);
        assertThat(JSON.writeValueAsString(configuration)).isEqualTo(stored().toString());
    }

    @Test
    void configurationsStoredBeforeTheseFieldsKeepTheirMeaning() {
        ObjectNode earlier = stored();
        earlier.remove("preemption");
        earlier.remove("checkpoint");
        earlier.remove("restarts");
        ((ObjectNode) earlier.path("workers")).remove("minimum");
        ((ObjectNode) earlier.path("evaluation")).remove("compared");
        earlier.remove("keepModel");

        RunConfiguration configuration = read(earlier);

        assertThat(configuration.scheduling()).isEqualTo(Scheduling.UNINTERRUPTED);
        assertThat(configuration.isStoppable()).isFalse();
        assertThat(configuration.workers().minimum()).isEqualTo(2);
        assertThat(configuration.instrumentation().evaluation().compared())
                .isEqualTo(ComparedAccuracy.MEAN);
        assertThat(configuration.instrumentation().keepModel()).isEqualTo(KeepModel.LAST);
        assertThat(configuration.initial()).isEmpty();
    }

    @Test
    void resolvedInitialModelSurvivesJson() {
        RunId source = RunId.of(new UUID(1, 2));
        var initial = new Workload.Initial(source, "0f".repeat(32));

        RunConfiguration resolved = read(stored()).with(initial);

        assertThat(read((ObjectNode) JSON.readTree(JSON.writeValueAsString(resolved))))
                .isEqualTo(resolved);
        assertThat(resolved.differencesTo(read(stored()))).containsExactly("initial");
        assertThat(resolved.differencesTo(read(stored()).with(new Workload.Initial(source, null))))
                .as("a definition names no digest")
                .isEmpty();
    }

    @Test
    void replayMayDifferInNameExecutionAndStoredData() {
        ObjectNode other = stored();
        other.put("name", "f").put("record", false).put("restarts", 1).put("trace", true);
        other.put("keepModel", "none");

        assertThat(read(stored()).differencesTo(read(other))).isEmpty();
    }

    @Test
    void replayTellsTheFieldsInWhichItDiffers() {
        ObjectNode other = stored();
        other.put("seed", 8).put("channel", "hazelcast");
        ((ObjectNode) other.path("workers")).put("replicas", 3);

        assertThat(read(stored()).differencesTo(read(other)))
                .containsExactly("channel", "seed", "workers/replicas");
    }
}
