package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretTest {

    private final SecureRandom random = new SecureRandom();

    @ParameterizedTest
    @CsvSource({"USER, eqp_", "JOIN, eqj_", "WORKER, eqw_"})
    void secretHasThePrefixOfItsKindAnd256Bits(TokenKind kind, String prefix) {
        assertThat(Secret.random(kind, random).text()).matches(prefix + "[A-Za-z0-9_-]{43}");
    }

    @Test
    void secretsDiffer() {
        assertThat(Secret.random(TokenKind.USER, random))
                .isNotEqualTo(Secret.random(TokenKind.USER, random));
    }

    /** The test vector of FIPS 180-2. */
    @Test
    void hashIsSha256() {
        assertThat(HexFormat.of().formatHex(new Secret("abc").hash()))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void toStringOmitsTheText() {
        assertThat(new Secret("eqp_abc")).hasToString("Secret[...]");
    }
}
