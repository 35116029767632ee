package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.agent.network.step.Device;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BackendsTest {

    @ParameterizedTest
    @EnumSource
    void chosenBackendIsLoaded(BackendKind kind) {
        Backend backend = Backends.load(kind);

        assertThat(backend.kind()).isEqualTo(kind);
        assertThat(backend.labels())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("backend", kind.label(), "device", "cpu"));
    }

    @Test
    void defaultIsOneDnn() {
        assertThat(Backends.load().kind()).isEqualTo(BackendKind.ONEDNN);
    }

    @ParameterizedTest
    @CsvSource({"onednn, oneDNN 3.", "nd4j, ND4J"})
    void descriptionNamesTheLibrary(String label, String description) {
        BackendKind kind = BackendKind.labeled(label).orElseThrow();

        assertThat(Backends.load(kind).description()).startsWith(description);
    }

    @Test
    void oneDnnIsRefusedInAnAgentForACard() {
        assertThatExceptionOfType(BackendUnavailable.class)
                .isThrownBy(() -> Backends.load(BackendKind.ONEDNN, Device.CUDA))
                .withMessageContaining("built for CUDA")
                .withMessageContaining("onednn was chosen");
    }

    @Test
    void unknownLabelHasNoKind() {
        assertThat(BackendKind.labeled("ONEDNN")).isEmpty();
    }
}
