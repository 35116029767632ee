package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.agent.service.ServiceEndpoint;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TrustOptionsTest {

    private static final URI PLAIN = URI.create("http://lab:8080");
    private static final URI ENCRYPTED = URI.create("https://lab");
    private static final Map<String, String> VARIABLE =
            Map.of("EQUIPOISE_CA", "/of/the/variable.pem");

    private static TrustOptions options(String... arguments) {
        return CommandLine.populateCommand(new TrustOptions(), arguments);
    }

    @Test
    void optionPrecedesTheVariable() {
        assertThatThrownBy(() -> options("--ca=/option.pem").endpoint(ENCRYPTED, VARIABLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--ca /option.pem: it does not exist");
        assertThatThrownBy(() -> options("--ca=").endpoint(ENCRYPTED, VARIABLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("EQUIPOISE_CA /of/the/variable.pem: it does not exist");
    }

    /** The variable may stay set for the services that have a certificate. */
    @Test
    void serviceWithoutACertificateIgnoresTheVariableAndRefusesTheOption() {
        assertThat(options().endpoint(PLAIN, VARIABLE)).isEqualTo(ServiceEndpoint.of(PLAIN));
        assertThatThrownBy(() -> options("--ca=/option.pem").endpoint(PLAIN, VARIABLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--ca applies to an https service, but --service is http://lab:8080");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void emptyVariableCountsAsNone(String file) {
        assertThat(options().endpoint(ENCRYPTED, Map.of("EQUIPOISE_CA", file)))
                .isEqualTo(ServiceEndpoint.of(ENCRYPTED));
    }
}
