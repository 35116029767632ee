package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdvertisedAddressTest {

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost");

    private static Optional<String> refusal(String host, String service, List<String> own) {
        return AdvertisedAddress.refusal(host, URI.create(service), LOOPBACK::contains, own);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:8080",
        "127.0.0.1, http://localhost:8080",
        "10.0.0.5,  http://127.0.0.1:8080",
        "10.0.0.5,  http://lab:8080"
    })
    void loopbackAddressServesALabOnOneHost(String host, String service) {
        assertThat(refusal(host, service, List.of())).isEmpty();
    }

    @Test
    void refusalNamesTheOptionAndTheAddressesOfTheHost() {
        assertThat(
                        refusal(
                                "127.0.0.1",
                                "http://lab:8080",
                                List.of("10.0.0.5 (eth0)", "192.168.1.5 (wlan0)")))
                .contains(
                        "the other agents would look for this one at 127.0.0.1, which leads each"
                                + " host to itself, and the service http://lab:8080 is on another"
                                + " host: set --host to an address at which they reach this host;"
                                + " it has 10.0.0.5 (eth0), 192.168.1.5 (wlan0)");
    }

    @Test
    void hostWithoutANetworkIsToldSo() {
        assertThat(refusal("localhost", "http://lab:8080", List.of()).orElseThrow())
                .endsWith(": connect this host to their network, as it has no other address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.1.1", "localhost", "[::1]", "::1", "0.0.0.0"})
    void namesAndAddressesOfTheHostItselfAreLoopback(String host) {
        assertThat(HostInspector.isLoopback(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "[2001:db8::1]", "no-such-host.invalid"})
    void otherNamesAndAddressesAreNot(String host) {
        assertThat(HostInspector.isLoopback(host)).isFalse();
    }

    @Test
    void ownAddressesHaveTheirInterfaceAndNoLoopback() {
        assertThat(HostInspector.ownAddresses())
                .allSatisfy(it -> assertThat(it).matches("\\S+ \\(\\S+\\)"))
                .noneMatch(it -> it.startsWith("127."));
    }
}
