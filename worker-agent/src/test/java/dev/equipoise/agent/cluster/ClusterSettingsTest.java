package dev.equipoise.agent.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                ":80",
                "host:",
                "host:0",
                "host:65536",
                "host:-1",
                "host:123456"
            })
    void rejectsAnInvalidDataAddress(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(0, List.of(), address))
                .withMessage("the data address must be host:port, but was \"" + address + "\"");
    }

    @Test
    void ignoresInvalidSeeds() {
        var seeds = List.of("lab-1", "lab-2:5701", "lab-3:0", ":5701", "[::1]:5701");

        assertThat(settings(0, seeds, "lab-2:4000").seeds())
                .containsExactly("lab-2:5701", "[::1]:5701");
    }

    @Test
    void rejectsAnInvalidPort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(65_536, List.of(), "lab-2:4000"))
                .withMessage("the port must be in 0..65535, but was 65536");
    }

    @Test
    void parsesIpv6AndHostNames() {
        assertThat(HostAndPort.parse("lab-1:4000")).contains(new HostAndPort("lab-1", 4000));
        assertThat(HostAndPort.parse("[::1]:4000")).contains(new HostAndPort("::1", 4000));
    }

    @Test
    void textDoesNotContainTheClusterName() {
        var settings =
                new ClusterSettings("secret", "127.0.0.1", 0, List.of(), "w1", "127.0.0.1:4000");

        assertThat(settings).asString().contains("w1").doesNotContain("secret");
    }

    private static ClusterSettings settings(int port, List<String> seeds, String dataAddress) {
        return new ClusterSettings("lab", "127.0.0.1", port, seeds, "w1", dataAddress);
    }
}
