package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.testing.Patience;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

@RunningService
class ProblemIT {

    private static final int MAX_BYTES = 1 << 20;

    private final TestingLab lab;
    private final int port;

    ProblemIT(@Autowired TestingLab lab, @LocalServerPort int port) {
        this.lab = lab;
        this.port = port;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private TestingClient member() {
        return lab.project().member();
    }

    @Test
    void missingResourcesAreNotFound() {
        member().get("/nowhere").problem(404, "not-found");
        member().get("/runs/" + UUID.randomUUID()).problem(404, "not-found");
        member().get("/workers/" + UUID.randomUUID()).problem(404, "not-found");
        member().get("/workers/" + UUID.randomUUID() + "/profiles").problem(404, "not-found");
        member().get("/profiles/" + UUID.randomUUID()).problem(404, "not-found");
        member().get("/experiments/" + UUID.randomUUID()).problem(404, "not-found");
    }

    @Test
    void wrongMethodIsAnsweredWithTheAllowedOnes() {
        Answer response = member().delete("/projects");

        assertThat(response.problem(405, "method-not-allowed").path("detail").stringValue())
                .startsWith("DELETE is not supported here: use one of [");
        assertThat(response.headers().getAllow())
                .containsExactlyInAnyOrder(HttpMethod.GET, HttpMethod.POST);
    }

    @Test
    void responsesAreJsonOnly() {
        member().call(HttpMethod.GET, "/me", null, null, MediaType.TEXT_HTML)
                .problem(406, "not-acceptable");
    }

    /** Otherwise what was asked for would come under the name of a problem. */
    @Test
    void callerWhoAcceptsProblemsAloneGetsNothingElse() {
        member().call(HttpMethod.GET, "/me", null, null, MediaType.APPLICATION_PROBLEM_JSON)
                .problem(406, "not-acceptable");
        member().call(
                        HttpMethod.GET,
                        "/runs/" + UUID.randomUUID(),
                        null,
                        null,
                        MediaType.APPLICATION_PROBLEM_JSON)
                .problem(404, "not-found");
    }

    @Test
    void unsupportedMediaTypeIsRejected() {
        lab.administrator()
                .call(HttpMethod.POST, "/projects", "x", MediaType.TEXT_PLAIN)
                .problem(415, "unsupported-media-type");
        member().call(HttpMethod.POST, "/experiments/validate", "a", MediaType.TEXT_PLAIN)
                .problem(415, "unsupported-media-type");
    }

    @Test
    void onlyDefinitionsMayBeYaml() {
        assertThat(
                        lab.administrator()
                                .call(
                                        HttpMethod.POST,
                                        "/projects",
                                        "name: yaml",
                                        MediaType.APPLICATION_YAML)
                                .problem(415, "unsupported-media-type")
                                .path("detail")
                                .stringValue())
                .isEqualTo(
                        "The body must be one of [application/json, application/*+json], but was"
                                + " application/yaml;charset=UTF-8");
        member().call(HttpMethod.GET, "/me", null, null, MediaType.APPLICATION_YAML)
                .problem(406, "not-acceptable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"a\" 1}", "", "nonsense"})
    void malformedBodyIsRejected(String body) {
        member().post("/experiments/validate", body).problem(400, "malformed-body");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [", "a: .nan", "a: b: c", "\tx: 1", "%", "'"})
    void malformedYamlIsRejected(String body) {
        member().call(HttpMethod.POST, "/experiments/validate", body, MediaType.APPLICATION_YAML)
                .problem(400, "malformed-body");
    }

    @Test
    void tooDeeplyNestedBodyIsRejected() {
        member().post("/experiments/validate", "[".repeat(5000)).problem(400, "malformed-body");
    }

    /** Parsed as a tree, the body would take many times its bytes. */
    @Test
    void definitionWithTooManyValuesIsRejected() {
        Answer response =
                member().post("/experiments/validate", "[%s1]".formatted("1,".repeat(50_000)));

        assertThat(response.problem(400, "malformed-body").path("detail").stringValue())
                .isEqualTo(
                        "The body is too complex: Token count (50001) exceeds the maximum allowed"
                                + " (50000)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\": \"\"} | /name must not be blank",
                "{} | /name must not be blank",
                "{\"name\": null} | /name must not be blank",
            })
    void brokenRuleIsReportedWithItsField(String body, String rule) {
        Answer response = lab.administrator().post("/projects", body);

        assertThat(response.problem(400, "invalid-request").path("detail").stringValue())
                .isEqualTo("1 rule is broken: " + rule);
        assertThat(response.violations()).containsExactly(rule);
    }

    @Test
    void fieldOfAnotherTypeIsReported() {
        Answer response =
                lab.administrator().post("/tokens", "{\"name\": \"x\", \"project\": \"seven\"}");

        response.problem(400, "invalid-request");
        assertThat(response.violations()).singleElement().asString().startsWith("/project ");
        assertThat(lab.administrator().post("/projects", "{\"name\": [1]}").violations())
                .singleElement()
                .asString()
                .startsWith("/name ");
        lab.administrator().post("/projects", "[]").problem(400, "invalid-request");
    }

    @Test
    void nameHasAtMost100Characters() {
        assertThat(
                        lab.administrator()
                                .post("/projects", Map.of("name", "n".repeat(101)))
                                .violations())
                .containsExactly("/name size must be between 0 and 100");
    }

    @Test
    void textThatCannotBeStoredIsAClientError() {
        lab.administrator()
                .post("/projects", "{\"name\": \"a\\u0000b\"}")
                .problem(400, "malformed-body");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/runs/seven",
                "/runs?project=seven",
                "/runs?state=WALKING",
                "/runs?limit=many",
                "/workers?state=WALKING",
                "/workers/1",
                "/comparisons",
                "/comparisons?runs=",
                "/comparisons?runs=seven",
                "/projects?limit=99999999999"
            })
    void parameterOfAnotherTypeIsRejected(String path) {
        member().get(path).problem(400, "invalid-request");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /runs?state=RUNNING,walking | walking | ?state must be one of [QUEUED, PLACED, PREPARING, RUNNING, COMPLETED, FAILED, CANCELLED]
                    /workers?state=WALKING      | WALKING | ?state must be one of [JOINING, IDLE, BUSY, DRAINING, LOST, LEFT]
                    /runs?project=seven         | seven   | ?project must be a UUID
                    /comparisons?runs=seven     | seven   | ?runs must be a UUID
                    /runs?limit=many            | many    | ?limit must be a whole number
                    /runs?since=yesterday       | yesterday | ?since must be a time like 2026-11-22T10:00:00Z
                    """)
    void wrongParameterIsExplainedWithoutItsClass(String path, String value, String violation) {
        Answer answer = member().get(path);

        JsonNode problem = answer.problem(400, "invalid-request");
        assertThat(answer.violations()).containsExactly(violation);
        assertThat(problem.at("/errors/0/value").stringValue()).isEqualTo(value);
    }

    @Test
    void wrongIdInThePathIsExplained() {
        assertThat(
                        member().get("/runs/seven")
                                .problem(400, "invalid-request")
                                .path("detail")
                                .stringValue())
                .isEqualTo("id must be a UUID, but was seven");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/runs?state=running,Queued", "/workers?state=idle&state=BUSY"})
    void stateMayBeInLowerCase(String path) {
        member().get(path).expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1000000000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z"})
    void timeThatCannotBeStoredIsRejected(String time) throws Exception {
        String cursor = new Cursor(List.of(time, UUID.randomUUID().toString())).text();
        String project = lab.project().id();

        for (String list :
                List.of(
                        "/projects",
                        "/tokens",
                        "/users",
                        "/links/measurements",
                        "/projects/" + project + "/experiments")) {
            assertThat(lab.administrator().get(list + "?cursor=" + cursor).violations())
                    .as(list)
                    .singleElement()
                    .asString()
                    .startsWith("?cursor must be ");
        }
        for (String bound : List.of("since", "until")) {
            assertThat(get("/api/v1/runs?%s=%s".formatted(bound, time.replace("+", "%2B"))))
                    .contains("?%s must be between 0001-01-01T00:00:00Z".formatted(bound));
        }
        assertThat(
                        lab.administrator()
                                .post("/tokens", Map.of("name", "x", "expiresAt", time))
                                .problem(400, "invalid-request")
                                .path("detail")
                                .stringValue())
                .contains("/expiresAt must be ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%ed%a0%80", "%c0%af", "%ff", "%zz"})
    void queryThatIsNotUtf8IsRejected(String name) throws Exception {
        String response = sendRaw("GET /api/v1/runs?name=%s HTTP/1.1".formatted(name));

        assertThat(response).startsWith("HTTP/1.1 400");
        assertThat(response).contains("\"code\":\"invalid-request\"");
    }

    @Test
    void pathOfErrorsIsNoResource() {
        lab.administrator().at(HttpMethod.GET, "/error", MediaType.ALL).problem(404, "not-found");
        lab.administrator()
                .at(HttpMethod.GET, "/error", MediaType.APPLICATION_JSON)
                .problem(404, "not-found");
    }

    /** The container rejects the request before any filter or controller. */
    @Test
    void connectIsAProblemToo() throws Exception {
        String response = sendRaw("CONNECT lab:80 HTTP/1.1");

        assertThat(response).startsWith("HTTP/1.1 405");
        assertThat(response).contains("application/problem+json");
        assertThat(response).contains("\"code\":\"method-not-allowed\"");
    }

    /** Sends a request that the HTTP client of Java would refuse to send. */
    private String sendRaw(String line) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) Patience.PATIENCE.toMillis());
            socket.getOutputStream()
                    .write(
                            """
                            %s\r
                            Host: lab\r
                            Authorization: Bearer %s\r
                            Connection: close\r
                            \r
                            """
                                    .formatted(line, lab.administrator().bearer())
                                    .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String get(String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .header(
                                            "Authorization",
                                            "Bearer " + lab.administrator().bearer())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/runs?limit=0",
                "/runs?limit=501",
                "/workers?limit=-1",
                "/projects?limit=501"
            })
    void listLimitIsBounded(String path) {
        Answer response = member().get(path);

        response.problem(400, "invalid-request");
        assertThat(response.violations()).singleElement().asString().startsWith("?limit must be ");
    }

    @Test
    void bodyWithATooLargeContentLengthIsRejected() {
        member().post("/experiments/validate", "\"" + "x".repeat(MAX_BYTES) + "\"")
                .problem(413, "body-too-large");
    }

    @Test
    void bodyOfTheMaximumSizeIsRead() {
        member().post("/experiments/validate", "\"" + "x".repeat(MAX_BYTES - 2) + "\"")
                .problem(400, "invalid-definition");
    }

    /** Sends the body in chunks, so that the size is unknown in advance. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/experiments/validate", "/api/v1/projects"})
    void tooLargeChunkedBodyIsRejected(String path) throws Exception {
        String token = Files.readString(lab.administratorToken()).strip();
        byte[] body =
                ("{\"name\": \"" + "x".repeat(2 * MAX_BYTES) + "\"}")
                        .getBytes(StandardCharsets.UTF_8);

        HttpResponse<String> response = sendInChunks(path, token, body);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(413);
        assertThat(response.body()).contains("\"code\":\"body-too-large\"");
    }

    private HttpResponse<String> sendInChunks(String path, String token, byte[] body)
            throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .header("Authorization", "Bearer " + token)
                            .header("Content-Type", "application/json")
                            .POST(
                                    HttpRequest.BodyPublishers.ofInputStream(
                                            () -> new ByteArrayInputStream(body)))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** The container rejects the request before any filter. */
    @Test
    void rejectionByTheContainerIsAProblemToo() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    http.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    "http://127.0.0.1:" + port + "/api/%2e%2f/x"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains("\"code\":\"invalid-request\"");
        }
    }
}
