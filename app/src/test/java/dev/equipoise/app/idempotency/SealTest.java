package dev.equipoise.app.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class SealTest {

    private static final byte[] PLAIN = "an answer".getBytes(StandardCharsets.UTF_8);

    private final Seal seal = seal("Bearer one");

    private static Seal seal(String credential) {
        return new Seal(credential, new SecureRandom());
    }

    @Test
    void whatIsSealedIsOpenedByTheSameCallerUnderTheSameName() {
        byte[] sealed = seal.close("key", PLAIN);

        assertThat(seal("Bearer one").open("key", sealed)).isEqualTo(PLAIN);
        assertThat(seal.close("key", PLAIN)).as("never twice alike").isNotEqualTo(sealed);
    }

    @Test
    void nobodyElseOpensItAndNotUnderAnotherName() {
        byte[] sealed = seal.close("key", PLAIN);

        assertThatThrownBy(() -> seal("Bearer other").open("key", sealed))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> seal.open("another", sealed))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void itsOwnerIsFoundByAHash() {
        assertThat(seal.owner()).hasSize(32).isEqualTo(seal("Bearer one").owner());
        assertThat(seal.owner()).isNotEqualTo(seal("Bearer other").owner());
    }
}
