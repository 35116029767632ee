package dev.equipoise.app.rate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkPrefixTest {

    @ParameterizedTest
    @CsvSource(
            """
            2001:db8:0:1::5, 2001:db8:0:1:0:0:0:5
            2001:db8:0:1::5, 2001:db8:0:1:ffff::1
            ::1, 0:0:0:0:0:0:0:1
            192.0.2.7, 192.0.2.7
            fe80::1%lo, fe80::1%lo
            ::ffff:192.0.2.7, 192.0.2.7
            0:0:0:0:0:ffff:c000:207, 192.0.2.7
            unknown:, unknown:
            """)
    void addressesOfOneNetworkAreEqual(String one, String other) {
        assertThat(NetworkPrefix.of(one)).isEqualTo(NetworkPrefix.of(other));
    }

    @ParameterizedTest
    @CsvSource(
            """
            2001:db8:0:1::5, 2001:db8:0:2::5
            192.0.2.7, 192.0.2.8
            unknown, unknown:
            ::1, 0.0.0.0
            """)
    void addressesOfDifferentNetworksDiffer(String one, String other) {
        assertThat(NetworkPrefix.of(one)).isNotEqualTo(NetworkPrefix.of(other));
    }
}
