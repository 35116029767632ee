package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\u00e9", "\u20ac", "\ud83d\ude00", "\uffff\ufeff"})
    void utf8IsValid(String text) {
        assertThat(Utf8.firstInvalid(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void longTextIsValid() {
        byte[] text = "\u20ac".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);

        assertThat(Utf8.firstInvalid(text)).isEmpty();
    }

    /** Overlong forms, half a surrogate pair, too large code points, cut and foreign characters. */
    @ParameterizedTest
    @CsvSource({
        "61c0af, 1",
        "c080, 0",
        "e08080, 0",
        "f08282ac, 0",
        "6161eda080, 2",
        "f4908080, 0",
        "61e282, 1",
        "ff, 0",
        "feff0061, 0",
        "6100, 1",
        "0061, 0"
    })
    void otherBytesAreInvalid(String hex, int at) {
        assertThat(Utf8.firstInvalid(bytes(hex))).hasValue(at);
    }
}
