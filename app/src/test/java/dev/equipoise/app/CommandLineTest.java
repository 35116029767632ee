package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.SoftwareVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void versionNamesProductAndProtocol(String option) {
        assertThat(CommandLine.answer("--server.port=0", option))
                .contains(
                        "equipoise service %s (protocol %s)"
                                .formatted(SoftwareVersion.OWN, ProtocolVersion.OWN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h"})
    void helpNamesTheMainSettings(String option) {
        assertThat(CommandLine.answer(option).orElseThrow())
                .startsWith("usage: ./equipoise service")
                .contains("--server.port=PORT", "--equipoise.data=FOLDER", "--version");
    }

    @Test
    void settingsAskForAService() {
        assertThat(CommandLine.answer()).isEmpty();
        assertThat(CommandLine.answer("--server.port=0", "--version=1", "--helpful")).isEmpty();
    }
}
