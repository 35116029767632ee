package dev.equipoise.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceAddressTest {

    private static final String RULE =
            "must be an http or https address without user, query and fragment, whose path has"
                    + " letters, digits and -._~, such as %s, but was %s";

    @ParameterizedTest
    @CsvSource({
        "http://lab:8080, http://lab:8080",
        "http://lab:8080/, http://lab:8080",
        "https://[::1]:8443, https://[::1]:8443",
        "https://lab/equipoise, https://lab/equipoise",
        "https://lab/.shared/equipoise~2/, https://lab/.shared/equipoise~2"
    })
    void addressHasNoSlashAtItsEnd(String text, String address) {
        assertThat(ServiceAddress.parse(text)).hasToString(address);
        assertThat(ServiceAddress.withoutSlash(URI.create(text))).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "there",
                "ftp://lab",
                "https://",
                "http:///x",
                "http://a_b",
                "https://lab/a/../b",
                "https://lab/.",
                "https://lab/...",
                "https://lab//a",
                "https://lab/a%2fb",
                "https://lab/a b",
                "https://lab/été"
            })
    void otherAddressesAreRejectedWithTheRule(String text) {
        assertThatThrownBy(() -> ServiceAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("must be an http or https address ")
                .hasMessageEndingWith(", but was " + text);
    }

    @ParameterizedTest
    @CsvSource({
        "lab:8080, http://lab:8080",
        "127.0.0.1:18180, http://127.0.0.1:18180",
        "ftp://lab, http://lab.example:8080",
        "lab/a/../b, http://lab.example:8080"
    })
    void messageCompletesAnAddressWithoutAScheme(String text, String suggestion) {
        assertThatThrownBy(() -> ServiceAddress.parse(text)).hasMessage(RULE, suggestion, text);
    }

    @ParameterizedTest
    @CsvSource({
        "https://ann:secret@lab, https://***",
        "https://ann:se/cret@lab, https://***",
        "https://ann:se?cret@lab/a, https://***",
        "https://ann:s@cret@lab, https://***",
        "ann:secret@lab:8080, ***",
        "https://lab/?token=secret, https://lab/?***",
        "https://lab/#secret, https://lab/#***"
    })
    void messageHasNoSecret(String text, String shown) {
        assertThatThrownBy(() -> ServiceAddress.parse(text))
                .hasMessage(RULE, "http://lab.example:8080", shown)
                .hasMessageNotContaining("cret");
    }

    @ParameterizedTest
    @CsvSource({"https://lab, true", "http://lab, false"})
    void serviceAtHttpsHasACertificate(URI address, boolean isEncrypted) {
        assertThat(ServiceAddress.isEncrypted(address)).isEqualTo(isEncrypted);
    }
}
