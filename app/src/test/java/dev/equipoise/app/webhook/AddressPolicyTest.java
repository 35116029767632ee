package dev.equipoise.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPolicyTest {

    private static final AddressPolicy PUBLIC_ONLY = new AddressPolicy(List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.0.0.1",
                "100.64.0.1",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.9",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:10.0.0.1",
                "::ffff:127.0.0.1",
                "::127.0.0.1",
                "64:ff9b::a00:1",
                "64:ff9b:1::a00:1",
                "100::1",
                "2001::1",
                "2001:db8::1",
                "2002:a00:1::1",
                "3fff::1",
                "fc00::1",
                "fd12:3456::1",
                "fe80::1",
                "fec0::1",
                "ff02::1"
            })
    void specialAddressIsRefused(String address) {
        assertThat(PUBLIC_ONLY.allows(InetAddress.ofLiteral(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "32.1.0.1",
                "63.255.240.1",
                "100.63.255.255",
                "100.128.0.1",
                "172.15.255.255",
                "172.32.0.1",
                "193.0.0.1",
                "223.255.255.254",
                "2606:4700:4700::1111",
                "2a00:1450:4001:81b::200e"
            })
    void publicAddressIsAllowed(String address) {
        assertThat(PUBLIC_ONLY.allows(InetAddress.ofLiteral(address))).isTrue();
    }

    /** DNS answers may contain such addresses. */
    @Test
    void mappedAddressCountsAsItsIpv4Address() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        mapped[12] = 10;
        mapped[15] = 1;

        assertThat(PUBLIC_ONLY.allows(InetAddress.getByAddress("a.example", mapped))).isFalse();
    }

    @Test
    void administratorAllowsNetworks() {
        AddressPolicy policy = new AddressPolicy(List.of("10.1.0.0/16", "fd00:1::/32", "::1"));

        assertThat(policy.allows(InetAddress.ofLiteral("10.1.2.3"))).isTrue();
        assertThat(policy.allows(InetAddress.ofLiteral("10.2.0.1"))).isFalse();
        assertThat(policy.allows(InetAddress.ofLiteral("fd00:1::5"))).isTrue();
        assertThat(policy.allows(InetAddress.ofLiteral("fd00:2::5"))).isFalse();
        assertThat(policy.allows(InetAddress.ofLiteral("::1"))).isTrue();
        assertThat(policy.allows(InetAddress.ofLiteral("127.0.0.1"))).isFalse();
        assertThat(policy.allows(InetAddress.ofLiteral("1.1.1.1"))).isTrue();
    }

    @Test
    void networksOfAllAddressesAllowEach() {
        AddressPolicy policy = new AddressPolicy(List.of("0.0.0.0/0", "::/0"));

        assertThat(policy.allows(InetAddress.ofLiteral("127.0.0.1"))).isTrue();
        assertThat(policy.allows(InetAddress.ofLiteral("fe80::1"))).isTrue();
        assertThat(new AddressPolicy(List.of("0.0.0.0/0")).allows(InetAddress.ofLiteral("fe80::1")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "lab.example", "10.0.0.0/a", " "})
    void settingWithoutANetworkIsRejected(String network) {
        assertThatThrownBy(() -> settings(List.of(network)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "equipoise.webhook.allowed-networks has "
                                + network
                                + ", which is no network");
    }

    private static WebhookSettings settings(List<String> networks) {
        return new WebhookSettings(networks, WebhookSettings.MAX_TIMEOUT, Duration.ofDays(7));
    }
}
