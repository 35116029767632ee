package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentDigestTest {

    @Test
    void digestIsReadAsItWasWritten() {
        byte[] digest = new byte[32];
        digest[0] = -1;
        digest[31] = 7;

        assertThat(ContentDigest.of(digest)).startsWith("sha-256=:/wAA").endsWith("=:");
        assertThat(ContentDigest.sha256(ContentDigest.of(digest))).isEqualTo(digest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sha-256", "sha-256=:AA==:", "sha-512=:AA==:", "sha-256=AAAA"})
    void otherHeadersAreRejected(String header) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ContentDigest.sha256(header))
                .withMessageContaining("Content-Digest must be sha-256=:");
    }
}
