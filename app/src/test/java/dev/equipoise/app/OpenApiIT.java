package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
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

    /** The ids become the names of methods in generated clients. */
    @Test
    void everyOperationHasATitleATextATagAndAnId() {
        JsonNode description = description();
        List<String> tags = names(description.path("tags"));
        List<String> ids = new ArrayList<>();

        SoftAssertions all = new SoftAssertions();
        operations(description)
                .forEach((name, operation) -> {
                    String id = operation.path("operationId").asString("");
                    ids.add(id);
                    all.assertThat(id).as(name).matches("[a-z]+([A-Z][a-z]+)+");
                    all.assertThat(operation.path("summary").asString(""))
                            .as("%s: add Javadoc to %s", name, id)
                            .isNotBlank()
                            .doesNotEndWith(".");
                    all.assertThat(operation.path("description").asString(""))
                            .as("%s: add Javadoc to %s", name, id)
                            .isNotBlank();
                    all.assertThat(operation.path("tags").valueStream().map(JsonNode::stringValue))
                            .as("%s: @Tag of the controller", name)
                            .hasSize(1)
                            .isSubsetOf(tags);
                    operation
                            .path("parameters")
                            .valueStream()
                            .filter(it -> it.path("description").asString("").isBlank())
                            .forEach(it ->
                                    all.fail(
                                            "%s: add @param %s to %s",
                                            name, it.path("name").stringValue(), id));
                });
        all.assertThat(ids).doesNotHaveDuplicates();
        all.assertThat(description.path("tags").valueStream())
                .allSatisfy(it -> assertThat(it.path("description").asString("")).isNotBlank());
        all.assertThat(operations(description).values().stream().map(it -> it.at("/tags/0")))
                .extracting(JsonNode::stringValue)
                .containsAll(tags);
        all.assertAll();
    }

    @Test
    void everyFieldIsDescribed() {
        SoftAssertions all = new SoftAssertions();
        description()
                .at("/components/schemas")
                .properties()
                .forEach(schema -> {
                    all.assertThat(schema.getValue().path("description").asString(""))
                            .as("%s: add Javadoc to its class", schema.getKey())
                            .isNotBlank()
                            .doesNotContain("{@");
                    schema.getValue()
                            .path("properties")
                            .properties()
                            .forEach(field ->
                                    all.assertThat(
                                                    field.getValue()
                                                            .path("description")
                                                            .asString(""))
                                            .as(
                                                    "%s: add @param %s to its record",
                                                    schema.getKey(), field.getKey())
                                            .isNotBlank()
                                            .doesNotContain("{@"));
                });
        all.assertAll();
    }

    @Test
    void createdResourcesHaveALocation() {
        operations(description())
                .forEach((name, operation) -> {
                    JsonNode created = operation.at("/responses/201");
                    if (!created.isMissingNode()) {
                        assertThat(created.at("/headers").has("Location")).as(name).isTrue();
                    }
                });

        Answer project =
                lab.administrator()
                        .post("/projects", Map.of("name", "located " + UUID.randomUUID()));
        assertThat(project.headers().getFirst("Location"))
                .isEqualTo("/api/v1/projects/" + project.expect(201).path("id").stringValue());
    }

    /** A response has every field; a request may leave out those that may be null. */
    @Test
    void requestsMayOmitFieldsThatMayBeNull() {
        JsonNode schemas = description().at("/components/schemas");

        assertThat(required(schemas, "NewToken")).containsExactly("name");
        assertThat(required(schemas, "NewUser")).containsExactly("name");
        assertThat(required(schemas, "NewProfile")).containsExactly("network");
        assertThat(required(schemas, "NewJoinToken")).isEmpty();
        assertThat(required(schemas, "RunPatch")).isEmpty();
        assertThat(required(schemas, "Quota")).isEmpty();
        assertThat(required(schemas, "Token")).contains("expiresAt", "id", "name", "token");
        assertThat(schemas.at("/WorkerPatch/properties/labels/additionalProperties/type"))
                .hasToString("[\"string\",\"null\"]");
    }

    private static List<String> required(JsonNode schemas, String name) {
        return schemas.path(name)
                .path("required")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
    }

    @Test
    void answersOfLimitedCallsDescribeTheLimit() {
        JsonNode paths = description().path("paths");
        JsonNode runs = paths.at("/~1api~1v1~1runs/get/responses");

        for (String status : List.of("200", "429")) {
            assertThat(runs.path(status).path("headers").propertyNames())
                    .as(status)
                    .contains("RateLimit", "RateLimit-Policy");
        }
        assertThat(paths.at("/~1api~1v1~1session/post/responses/200").has("headers")).isFalse();
        assertThat(lab.administrator().get("/me").headers().getFirst("RateLimit"))
                .startsWith("\"user\";r=");
    }

    private JsonNode description() {
        return lab.nobody().get("/api/openapi").expect(200);
    }

    private static Map<String, JsonNode> operations(JsonNode description) {
        Map<String, JsonNode> operations = new LinkedHashMap<>();
        description
                .path("paths")
                .properties()
                .forEach(path ->
                        path.getValue()
                                .properties()
                                .forEach(it ->
                                        operations.put(
                                                it.getKey() + " " + path.getKey(), it.getValue())));
        return operations;
    }

    private static List<String> names(JsonNode items) {
        return items.valueStream().map(it -> it.path("name").stringValue()).toList();
    }

    @Test
    void callsDocumentTheirAuthentication() {
        JsonNode description = lab.nobody().get("/api/openapi").expect(200);

        JsonNode session = description.at("/components/securitySchemes/session");
        assertThat(session.path("in").stringValue()).isEqualTo("cookie");
        assertThat(session.path("name").stringValue()).isEqualTo("equipoise_session");
        assertThat(session.path("type").stringValue()).isEqualTo("apiKey");
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
