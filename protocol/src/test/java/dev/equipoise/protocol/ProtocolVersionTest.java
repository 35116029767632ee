package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ProtocolVersionTest {

    @ParameterizedTest
    @CsvSource({
        "0.1, 0.1, true",
        "0.1, 0.2, true",
        "0.1, 0.3, false",
        "0.9, 0.10, true",
        "0.1, 0.10, false",
        "1.0, 0.1, false",
        "1.4, 2.4, false"
    })
    void adjacentMinorVersionsWorkTogether(String one, String other, boolean next) {
        assertThat(ProtocolVersion.of(one).isNextTo(ProtocolVersion.of(other))).isEqualTo(next);
        assertThat(ProtocolVersion.of(other).isNextTo(ProtocolVersion.of(one))).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({"0.1, 0.2", "0.9, 0.10", "0.9, 1.0", "1.9, 2.0"})
    void majorNumberDecidesWhichVersionIsOlder(String older, String newer) {
        assertThat(ProtocolVersion.of(older).isOlderThan(ProtocolVersion.of(newer))).isTrue();
        assertThat(ProtocolVersion.of(newer).isOlderThan(ProtocolVersion.of(older))).isFalse();
        assertThat(ProtocolVersion.of(newer).isOlderThan(ProtocolVersion.of(newer))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "v1.2", "1.x", "-1.2", "1.2.3", "1.2-rc", "1.2\n", "1234567.0"})
    void rejectsOtherTextsThanTwoNumbers(String text) {
        assertThatThrownBy(() -> ProtocolVersion.of(text))
                .hasMessage(
                        "protocol must be a major and a minor number, as 0.2 is, but was " + text);
    }

    @Test
    void isAStringInJson() {
        JsonMapper json = JsonMapper.builder().build();

        assertThat(json.writeValueAsString(ProtocolVersion.of("0.2"))).isEqualTo("\"0.2\"");
        assertThat(json.readValue("\"0.2\"", ProtocolVersion.class))
                .isEqualTo(ProtocolVersion.of("0.2"));
    }
}
