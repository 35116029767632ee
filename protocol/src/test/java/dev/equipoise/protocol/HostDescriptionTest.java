package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HostDescriptionTest {

    private static final HostDescription HOST =
            new HostDescription("a", 8, 2, 1L << 34, "Linux amd64", "oneDNN 3.11.0", 1, "Model 1");

    @Test
    void sameHardwareUnderAnotherNameHasNotChanged() {
        var renamed =
                new HostDescription(
                        "b", 8, 2, 1L << 34, "Linux amd64", "oneDNN 3.11.0", 1, "Model 1");

        assertThat(HOST.changes(renamed)).isEmpty();
    }

    @Test
    void changesNameTheValueBeforeAndTheValueNow() {
        var other =
                new HostDescription("a", 16, 4, 1L << 33, "Linux aarch64", "ND4J", 2, "Model 2");

        assertThat(HOST.changes(other))
                .containsExactly(
                        "processor Model 1, now Model 2",
                        "processors 8, now 16",
                        "threads 2, now 4",
                        "memory 16384 MiB, now 8192 MiB",
                        "system Linux amd64, now Linux aarch64",
                        "backend oneDNN 3.11.0, now ND4J",
                        "slowdown 1.0, now 2.0");
    }

    /** Another kernel reserves other memory, and agents of earlier versions report no processor. */
    @Test
    void littleMemoryAndAnUnknownProcessorAreNoChange() {
        var other =
                new HostDescription(
                        "a", 8, 2, (1L << 34) - (1L << 28), "Linux amd64", "oneDNN 3.11.0", 1);

        assertThat(HOST.changes(other)).isEmpty();
        assertThat(other.changes(HOST)).isEmpty();
    }

    @Test
    void rejectsALongProcessorModel() {
        assertThatThrownBy(() -> new HostDescription("a", 1, 1, 1, "x", "x", 1, "x".repeat(301)))
                .hasMessageStartingWith("processor must have at most 300 characters, but had 301");
    }
}
