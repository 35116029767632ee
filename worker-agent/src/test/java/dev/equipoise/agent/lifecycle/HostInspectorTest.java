package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostInspectorTest {

    @Test
    void modelIsThatOfTheFirstProcessor() {
        assertThat(
                        HostInspector.processor(
                                List.of(
                                        "processor\t: 0",
                                        "model name\t: Intel(R) Xeon(R) CPU @ 2.20GHz",
                                        "",
                                        "processor\t: 1",
                                        "model name\t: other")))
                .isEqualTo("Intel(R) Xeon(R) CPU @ 2.20GHz");
    }

    @Test
    void armProcessorHasImplementerAndPart() {
        assertThat(HostInspector.processor(List.of("CPU implementer\t: 0x41", "CPU part\t: 0xd0c")))
                .isEqualTo("ARM implementer 0x41, part 0xd0c");
    }

    @Test
    void unknownProcessorHasNoModel() {
        assertThat(HostInspector.processor(List.of("hardware : x", "no colon"))).isNull();
        assertThat(HostInspector.processor(List.of("model name\t:"))).isNull();
    }
}
