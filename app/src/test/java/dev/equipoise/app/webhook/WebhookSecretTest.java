package dev.equipoise.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSecretTest {

    /** Secret of the example in the documentation of Standard Webhooks. */
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @Test
    void signatureIsThatOfTheStandardsExample() {
        assertThat(
                        WebhookSecret.parse(SECRET)
                                .sign(
                                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                                        1_614_265_330,
                                        "{\"test\": 2432232314}"))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void signatureDependsOnIdTimeAndBody() {
        WebhookSecret secret = WebhookSecret.parse(SECRET);
        UUID id = new UUID(1, 2);
        Instant at = Instant.ofEpochSecond(1000);
        String signature = secret.sign(id, at, "{}");

        assertThat(secret.sign(new UUID(1, 3), at, "{}")).isNotEqualTo(signature);
        assertThat(secret.sign(id, at.plusSeconds(1), "{}")).isNotEqualTo(signature);
        assertThat(secret.sign(id, at, "{} ")).isNotEqualTo(signature);
        assertThat(secret.sign(id, at.plusMillis(1), "{}")).isEqualTo(signature);
    }

    @Test
    void randomSecretIsReadBackFromItsText() {
        WebhookSecret secret = WebhookSecret.random(new SecureRandom());

        assertThat(secret.text()).matches("whsec_[A-Za-z0-9+/]{43}=");
        assertThat(WebhookSecret.parse(secret.text()).key()).isEqualTo(secret.key());
        assertThat(WebhookSecret.ofKey(secret.key()).text()).isEqualTo(secret.text());
        assertThat(secret).hasToString("WebhookSecret[...]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whsec_",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa*w"
            })
    void shortOrInvalidSecretIsRejected(String text) {
        assertThatThrownBy(() -> WebhookSecret.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "must be whsec_ and the Base64 of 24 to 64 random bytes; leave it out to get one");
    }
}
