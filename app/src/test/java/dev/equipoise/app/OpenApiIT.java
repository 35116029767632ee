package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

@RunningService
class OpenApiIT {

    private static final Path COMMITTED = Path.of("../web-ui/openapi/openapi.json");
    private static final Path PRESENT = Path.of("target/openapi.json");

    private static final String PROBLEM = "/content/application~1problem+json/schema/$ref";

    private final TestingLab lab;

    OpenApiIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    /** The expected errors follow from the table of rights in docs/api.md. */
    @Test
    void everyCallIsDocumentedWithItsErrors() throws IOException {
        JsonNode paths = lab.nobody().get("/api/openapi").expect(200).path("paths");

        SoftAssertions all = new SoftAssertions();
        WhoMayCall.documented()
                .forEach((operation, who) -> {
                    String[] call = operation.split(" ", 2);
                    JsonNode described =
                            paths.path("/api/v1" + call[1]).path(call[0].toLowerCase(Locale.ROOT));
                    all.assertThat(described.path("responses").propertyNames())
                            .as(operation)
                            .contains("default")
                            .containsAll(failures(who, call[0], call[1]));
                    described
                            .path("responses")
                            .properties()
                            .forEach(it -> {
                                if (it.getKey().startsWith("4") || it.getKey().equals("default")) {
                                    all.assertThat(it.getValue().at(PROBLEM).asString(""))
                                            .as("%s %s", operation, it.getKey())
                                            .isEqualTo("#/components/schemas/Problem");
                                }
                            });
                });
        all.assertAll();
    }

    private static List<String> failures(WhoMayCall who, String method, String path) {
        List<String> failures = new ArrayList<>();
        if (who != WhoMayCall.ANYONE) {
            failures.addAll(List.of("401", "403", "429"));
        }
        if (path.contains("{")) {
            failures.add("404");
        }
        if (method.equals("PATCH")) {
            failures.addAll(List.of("400", "409", "413", "415"));
        }
        // Labels change one by one, so that no change overwrites another.
        if (method.equals("PATCH") && !path.equals("/workers/{id}")) {
            failures.add("412");
        }
        return failures;
    }

    @Test
    void callsDocumentTheirAuthentication() {
        JsonNode description = lab.nobody().get("/api/openapi").expect(200);

        assertThat(description.at("/components/securitySchemes/session").toString())
                .isEqualTo(
                        "{\"in\":\"cookie\",\"name\":\"equipoise_session\",\"type\":\"apiKey\"}");
        assertThat(description.path("security").toString())
                .isEqualTo("[{\"bearer\":[]},{\"session\":[]}]");
        JsonNode paths = description.path("paths");
        assertThat(paths.path("/api/v1/runs").path("get").has("security")).isFalse();
        assertThat(paths.path("/api/v1/agents").path("post").path("security").toString())
                .isEqualTo("[{\"bearer\":[]}]");
        assertThat(paths.path("/api/v1/session").path("post").path("security").toString())
                .isEqualTo("[]");
    }

    @Test
    void headersAreDocumented() {
        JsonNode paths = lab.nobody().get("/api/openapi").expect(200).path("paths");
        JsonNode run = paths.path("/api/v1/runs/{id}");

        assertThat(headers(run.path("get"))).containsExactly("If-None-Match");
        assertThat(run.at("/get/responses/200/headers").has("ETag")).isTrue();
        assertThat(run.at("/get/responses/304/headers").has("ETag")).isTrue();
        assertThat(run.at("/get/responses/304").has("content")).isFalse();
        assertThat(headers(run.path("patch")))
                .containsExactlyInAnyOrder("If-Match", "X-CSRF-Token");
        assertThat(run.at("/patch/responses/200/headers").has("ETag")).isTrue();
        assertThat(run.at("/get/responses/429/headers").has("Retry-After")).isTrue();
        assertThat(run.at("/get/responses/503/headers").has("Retry-After")).isTrue();
        assertThat(run.at("/patch/responses/507/headers").has("Retry-After")).isTrue();
        assertThat(headers(paths.path("/api/v1/runs/{id}/events").path("get")))
                .containsExactly("Last-Event-ID");
        JsonNode cancel = paths.path("/api/v1/runs/{id}/cancel").path("post");
        assertThat(headers(cancel)).containsExactlyInAnyOrder("Idempotency-Key", "X-CSRF-Token");
        assertThat(cancel.path("responses").propertyNames()).contains("409", "422");
        assertThat(headers(paths.path("/api/v1/plans").path("post")))
                .containsExactly("X-CSRF-Token");
        assertThat(headers(paths.path("/api/v1/agents").path("post"))).isEmpty();
    }

    private static List<String> headers(JsonNode call) {
        return call.path("parameters")
                .valueStream()
                .filter(it -> it.path("in").stringValue().equals("header"))
                .map(it -> it.path("name").stringValue())
                .toList();
    }

    /** The dashboard's types are generated from the committed file. */
    @Test
    void descriptionMatchesTheCommittedFile() throws IOException {
        JsonNode description = lab.nobody().get("/api/openapi").expect(200);
        JsonMapper pretty = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        Files.writeString(PRESENT, pretty.writeValueAsString(description) + "\n");

        assertThat(Files.readString(PRESENT))
                .as(
                        "the API has changed; if intended: cp app/%s %s",
                        PRESENT, COMMITTED.toString().substring("../".length()))
                .isEqualTo(Files.readString(COMMITTED));
    }
}
