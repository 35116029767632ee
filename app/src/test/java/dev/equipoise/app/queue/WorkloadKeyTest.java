package dev.equipoise.app.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.experiment.Definition;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class WorkloadKeyTest {

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: test
            dataset: { name: mnist }
            network: { preset: mnist-cnn }
            training: { epochs: 2 }
            workers: { replicas: 3 }
            """;

    private final WorkloadKey key = new WorkloadKey(JsonMapper.shared());

    private static RunConfiguration with(String fields) {
        return Definition.read(YAMLMapper.builder().build().readTree(DEFINITION + fields))
                .configurations()
                .getFirst();
    }

    /** The runtimes of earlier runs are found by this key. */
    @Test
    void keyIsThatOfEarlierVersions() {
        assertThat(key.of(with("trace: true")))
                .isEqualTo("5b3d50adc6ae283d05f223f614b73f5580a1211efdc49731712c254c6009924e");
    }

    @Test
    void seedAndSchedulingDoNotChangeTheKey() {
        assertThat(key.of(with("seed: 2\npreemption: allowed\nrestarts: 1")))
                .isEqualTo(key.of(with("")));
        assertThat(key.of(with("trace: true"))).isNotEqualTo(key.of(with("")));
    }

    @Test
    void modelsDoNotChangeTheKey() {
        assertThat(
                        key.of(
                                with(
                                        "keepModel: best\ninitial: { run: 00000000-0000-0001-0000-000000000002 }")))
                .isEqualTo(key.of(with("")));
    }
}
