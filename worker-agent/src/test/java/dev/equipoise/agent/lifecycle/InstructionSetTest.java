package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.network.Backends;
import dev.equipoise.protocol.HostDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstructionSetTest {

    @ParameterizedTest
    @CsvSource({
        "flags: fpu sse4_1 sse4_2, SSE41",
        "flags: fpu sse4_1 avx, AVX",
        "flags: fpu sse4_1 avx avx2 fma, AVX2",
        "flags: fpu avx avx2 avx512f avx512bw, AVX512_CORE",
        "flags: fpu avx avx2 avx512f, AVX2",
        "Features: fp asimd, ASIMD",
        "flags: fpu,",
        "model name: avx2,"
    })
    void widestInstructionsCount(String line, @Nullable String name) {
        assertThat(InstructionSet.of(List.of("processor: 0", line)).orElse(null)).isEqualTo(name);
    }

    @Test
    void firstProcessorCounts() {
        assertThat(InstructionSet.of(List.of("flags\t\t: avx", "flags\t\t: avx2"))).hasValue("AVX");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void hostHasAnInstructionSetThatOneDnnNames() {
        HostDescription host = HostInspector.describe(2, Backends.load(), 1);

        assertThat(host.instructionSet()).matches("SSE41|AVX[0-9A-Z_]*");
        assertThat(host.arithmetic()).endsWith(String.valueOf(host.instructionSet()));
    }
}
