package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

@RunningService
class OpenApiIT {

    private static final Path COMMITTED = Path.of("../web-ui/openapi/openapi.json");
    private static final Path PRESENT = Path.of("target/openapi.json");

    private final TestingLab lab;

    OpenApiIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    /** The dashboard's types are generated from the committed file. */
    @Test
    void theDescriptionIsTheCommittedOne() throws IOException {
        JsonNode description = lab.nobody().get("/api/openapi").expect(200);
        JsonMapper pretty = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        Files.writeString(PRESENT, pretty.writeValueAsString(description) + "\n");

        assertThat(Files.readString(PRESENT))
                .as(
                        "the API has changed; where that is meant: cp app/%s %s",
                        PRESENT, COMMITTED.toString().substring("../".length()))
                .isEqualTo(Files.readString(COMMITTED));
    }
}
