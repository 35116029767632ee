package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class RunLabelTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "synchronization=bsp | bsp, seed 1",
                "topology.algorithm=ring | topology.algorithm=ring, seed 1",
                "training.epochs=2, synchronization=async | training.epochs=2, async, seed 1",
                "flowers: synchronization=bsp | flowers: bsp, seed 1",
                "flowers | flowers, seed 1"
            })
    void methodNeedsNoNameOfItsField(String label, String expected) {
        assertThat(
                        RunLabel.of(
                                JsonMapper.shared()
                                        .createObjectNode()
                                        .put("label", label)
                                        .put("seed", 1)))
                .isEqualTo(expected);
    }
}
