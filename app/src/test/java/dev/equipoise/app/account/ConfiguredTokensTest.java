package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfiguredTokensTest {

    private static final String BITS = "abcdefghijklmnopqrstuvwxyz-_ABCDEFGHIJKLMNO";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eqj_short",
                "eqp_" + BITS,
                BITS,
                "eqj_" + BITS + "x",
                "eqj_abcdefghijklmnopqrstuvwxyz+/ABCDEFGHIJKLMNO",
                "eqj_äbcdefghijklmnopqrstuvwxyz-_ABCDEFGHIJKLMNO"
            })
    void malformedTokenFailsWithoutBeingShown(String text) {
        assertThatIllegalStateException()
                .isThrownBy(() -> ConfiguredTokens.secret(TokenKind.JOIN, "join-token", text))
                .withMessageStartingWith(
                        "equipoise.account.join-token must be eqj_ and 43 characters of base64url")
                .withMessageEndingWith("but has %d characters in all", text.length())
                .satisfies(it -> assertThat(it.getMessage()).doesNotContain(text.substring(4)));
    }

    @Test
    void trailingLineBreakIsIgnored() {
        assertThat(ConfiguredTokens.secret(TokenKind.JOIN, "join-token", "eqj_" + BITS + "\n"))
                .isEqualTo(new Secret("eqj_" + BITS));
    }

    @Test
    void emptySettingHasNoToken() {
        assertThat(ConfiguredTokens.secret(TokenKind.JOIN, "join-token", " ")).isNull();
        assertThat(ConfiguredTokens.secret(TokenKind.JOIN, "join-token", null)).isNull();
    }
}
