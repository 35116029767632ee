package dev.equipoise.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookUrlTest {

    private static final AddressPolicy POLICY = new AddressPolicy(List.of());

    @Test
    void partsOfARequestComeFromTheUrl() {
        WebhookUrl url = WebhookUrl.read("https://hooks.example:8443/a%20b?c=d", POLICY);

        assertThat(url.isSecure()).isTrue();
        assertThat(url.host()).isEqualTo("hooks.example");
        assertThat(url.port()).isEqualTo(8443);
        assertThat(url.authority()).isEqualTo("hooks.example:8443");
        assertThat(url.target()).isEqualTo("/a%20b?c=d");
    }

    @ParameterizedTest
    @CsvSource({
        "http://hooks.example, 80, /",
        "https://hooks.example, 443, /",
        "HTTPS://hooks.example/, 443, /",
        "http://hooks.example?a, 80, /?a",
        "http://hooks.example/\u00e9, 80, /%C3%A9"
    })
    void defaultsAndEncoding(String text, int port, String target) {
        WebhookUrl url = WebhookUrl.read(text, POLICY);

        assertThat(url.port()).isEqualTo(port);
        assertThat(url.target()).isEqualTo(target);
        assertThat(url.authority()).isEqualTo("hooks.example");
    }

    @Test
    void addressOfVersion6HasBracketsInTheHeaderAlone() {
        WebhookUrl url = WebhookUrl.read("http://[2606:4700::1]:8080/", POLICY);

        assertThat(url.host()).isEqualTo("2606:4700::1");
        assertThat(url.authority()).isEqualTo("[2606:4700::1]:8080");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hooks.example",
                "//hooks.example/",
                "ftp://hooks.example/",
                "file:///etc/passwd",
                "http:opaque",
                "http:///nohost",
                "http://a b/",
                "http://hooks.example:70000/",
                "http://ann:secret@hooks.example/",
                "http://hooks.example/#part",
                "http://hooks.example/\r\nX: y",
                "http://2130706433/",
                "http://0x7f.1/"
            })
    void unusableUrlIsRejected(String text) {
        assertThatThrownBy(() -> WebhookUrl.read(text, POLICY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("must ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://10.0.0.1:8080/",
                "http://169.254.169.254/latest/meta-data",
                "http://[::1]/",
                "http://[::ffff:10.0.0.1]/",
                "https://[fd00::1]/"
            })
    void addressThatIsNotPublicIsRejectedAtOnce(String text) {
        assertThatThrownBy(() -> WebhookUrl.read(text, POLICY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("which is not public")
                .hasMessageContaining("equipoise.webhook.allowed-networks");
    }

    @Test
    void encodedUrlIsBounded() {
        assertThatThrownBy(
                        () -> WebhookUrl.read("http://a.example/" + "\u00e9".repeat(400), POLICY))
                .hasMessage("must have at most 2000 characters when encoded, but has 2417");
    }
}
