package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class SoftwareVersionTest {

    @Test
    void ownVersionIsThatOfTheBuild() throws IOException {
        assertThat(Files.readString(Path.of("../pom.xml")))
                .contains(
                        "<artifactId>equipoise</artifactId>\n  <version>%s</version>"
                                .formatted(SoftwareVersion.OWN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "v1.2", "1.x", "-1.2", "1.2 beta", "1.2\n", "1234567.0", "1..2"})
    void rejectsVersionsWithoutMajorAndMinorNumber(String text) {
        assertThatThrownBy(() -> SoftwareVersion.of(text))
                .hasMessage(
                        "version must begin with a major and a minor number, as 0.1.0 does, but was "
                                + text);
    }

    @Test
    void isAStringInJson() {
        JsonMapper json = JsonMapper.builder().build();

        assertThat(json.writeValueAsString(SoftwareVersion.of("0.1.0"))).isEqualTo("\"0.1.0\"");
        assertThat(json.readValue("\"0.1.0\"", SoftwareVersion.class))
                .isEqualTo(SoftwareVersion.of("0.1.0"));
    }
}
