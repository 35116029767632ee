package dev.equipoise.app.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class ResponseSealerTest {

    private static final byte[] PLAIN = "a response".getBytes(StandardCharsets.UTF_8);

    private final ResponseSealer seal = seal("Bearer one");

    private static ResponseSealer seal(String credential) {
        return new ResponseSealer(credential, new SecureRandom());
    }

    @Test
    void sameCallerAndNameDecrypt() {
        byte[] sealed = seal.close("key", PLAIN);

        assertThat(seal("Bearer one").open("key", sealed)).isEqualTo(PLAIN);
        assertThat(seal.close("key", PLAIN)).as("a fresh nonce every time").isNotEqualTo(sealed);
    }

    @Test
    void otherCallerOrNameCannotDecrypt() {
        byte[] sealed = seal.close("key", PLAIN);

        assertThatThrownBy(() -> seal("Bearer other").open("key", sealed))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> seal.open("another", sealed))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void ownerIsAHashOfTheCredential() {
        assertThat(seal.owner()).hasSize(32).isEqualTo(seal("Bearer one").owner());
        assertThat(seal.owner()).isNotEqualTo(seal("Bearer other").owner());
    }
}
