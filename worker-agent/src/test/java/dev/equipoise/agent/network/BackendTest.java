package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackendTest {

    @Test
    void loadsTheBinaryThatIsFastAtConvolutions() {
        Backend backend = Backend.load();

        assertThat(backend.oneDnn()).as(backend.build()).isTrue();
        assertThat(backend.describe()).doesNotContain("WITHOUT");
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(new Backend(false, "HAVE_OPENBLAS").describe()).contains("WITHOUT oneDNN");
    }
}
