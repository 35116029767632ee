package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.network.Backends;
import dev.equipoise.protocol.HostDescription;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessorInfoTest {

    @ParameterizedTest
    @CsvSource({
        "fpu sse4_1 sse4_2, SSE41",
        "fpu sse4_1 avx, AVX",
        "fpu sse4_1 avx avx2 fma, AVX2",
        "fpu avx avx2 avx512f avx512bw, AVX512_CORE",
        "fpu avx avx2 avx512f, AVX2",
        "fpu,"
    })
    void widestInstructionsCount(String flags, String instructionSet) {
        assertThat(ProcessorInfo.of(List.of("flags\t\t: " + flags)).instructionSet())
                .isEqualTo(instructionSet);
    }

    @Test
    void firstProcessorIsDescribed() {
        ProcessorInfo processor =
                ProcessorInfo.of(
                        List.of(
                                "processor\t: 0",
                                "model name\t: Intel(R) Xeon(R) @ 2.10GHz",
                                "",
                                "processor\t: 1",
                                "model name\t: another",
                                "flags\t\t: avx2"));

        assertThat(processor).isEqualTo(new ProcessorInfo("Intel(R) Xeon(R) @ 2.10GHz", null));
    }

    @Test
    void longOrForgedModelIsBoundedText() {
        String longest = "x".repeat(HostDescription.MAX_TEXT);

        assertThat(ProcessorInfo.of(List.of("model name: " + longest + "y")).model())
                .isEqualTo(longest);
        assertThat(ProcessorInfo.of(List.of("model name: a\u001bb")).model()).isEqualTo("a b");
        assertThat(ProcessorInfo.of(List.of("model name: ", "Features: fp asimd")))
                .isEqualTo(new ProcessorInfo(null, "ASIMD"));
        assertThat(ProcessorInfo.of(List.of())).isEqualTo(new ProcessorInfo(null, null));
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void hostHasAnInstructionSetThatOneDnnNames() {
        HostDescription host = HostInspector.describe(2, Backends.load(), 1);

        assertThat(host.instructionSet()).matches("SSE41|AVX[0-9A-Z_]*");
        assertThat(host.arithmetic()).endsWith(String.valueOf(host.instructionSet()));
    }
}
