package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostMemoryTest {

    @Test
    void pagesOfCachesDoNotCountAsUsed() {
        List<String> lines =
                List.of(
                        "MemTotal:        8000000 kB",
                        "MemFree:          100000 kB",
                        "MemAvailable:    6000000 kB",
                        "HugePages_Total:       0");

        assertThat(HostMemory.used(lines)).isEqualTo(2_000_000L * 1024);
    }

    @Test
    void memoryIsUnknownWithoutTheAvailableMemory() {
        assertThat(HostMemory.used(List.of("MemTotal:        8000000 kB"))).isNull();
        assertThat(HostMemory.used(List.of())).isNull();
    }

    @Test
    void usedMemoryIsNeverNegative() {
        assertThat(HostMemory.used(List.of("MemTotal: 10 kB", "MemAvailable: 12 kB"))).isZero();
    }
}
