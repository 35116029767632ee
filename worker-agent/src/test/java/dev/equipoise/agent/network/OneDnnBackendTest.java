package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.network.onednn.OneDnnBackend;
import dev.equipoise.agent.network.step.Backend;
import org.junit.jupiter.api.Test;

class OneDnnBackendTest extends BackendContract {

    private static final Backend BACKEND = OneDnnBackend.load();

    @Override
    Backend backend() {
        return BACKEND;
    }

    @Test
    void isTheDefaultWhereItsBinaryExists() {
        assertThat(Backends.load().description()).startsWith("oneDNN 3.");
    }
}
