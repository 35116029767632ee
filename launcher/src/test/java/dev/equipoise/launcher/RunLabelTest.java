package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunLabelTest {

    @Test
    void runHasTheNameAndGroupTheLabelOfTheService() {
        JsonNode run =
                JsonMapper.shared()
                        .createObjectNode()
                        .put("name", "synchronization=odd, seed 1 (2)")
                        .put("label", "synchronization=odd");

        assertThat(RunLabel.of(run)).isEqualTo("synchronization=odd, seed 1 (2)");
        assertThat(RunLabel.label(run)).isEqualTo("synchronization=odd");
    }
}
