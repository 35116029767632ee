package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.Registration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Tests that a service below a path of its address keeps its guards and its addresses. */
@RunningService
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContextPathIT {

    private static final String REPLAYED = "Idempotency-Replayed";
    private static final String PASSWORD = "long enough for a path";

    /** Longer than the limit of texts. */
    private static final int LARGE_BYTES = 2 << 20;

    /** Accept header of Chromium for a page. */
    private static final String BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

    private static final Pattern SCRIPT =
            Pattern.compile("src=\"(/equipoise/assets/[^\"]+\\.js)\"");

    @TempDir private static Path folder;

    private final JdbcConnectionDetails server;
    private final HttpClient http = HttpClient.newHttpClient();
    private final TestingProvider provider = new TestingProvider();
    private final String key = UUID.randomUUID().toString();
    private @Nullable TestingInstance started;

    ContextPathIT(@Autowired JdbcConnectionDetails server) {
        this.server = server;
    }

    @BeforeAll
    void start() {
        started =
                TestingInstance.alone(
                        server,
                        folder,
                        Map.of(
                                "server.servlet.context-path",
                                "/equipoise/",
                                "equipoise.oidc.issuer",
                                provider.issuer(),
                                "equipoise.oidc.client-id",
                                TestingProvider.CLIENT,
                                "equipoise.oidc.client-secret",
                                "secret",
                                "equipoise.oidc.admission.newcomers",
                                "true"));
    }

    @AfterAll
    void stop() {
        provider.close();
        instance().close();
    }

    private TestingInstance instance() {
        return Objects.requireNonNull(started);
    }

    private TestingClient nobody() {
        return instance().client(null);
    }

    private Map<String, String> user(String name) {
        Map<String, String> credentials = Map.of("name", name, "password", PASSWORD);
        instance().administrator().post("/users", credentials).expect(201);
        return credentials;
    }

    private String project(String name) {
        return instance()
                .administrator()
                .post("/projects", Map.of("name", name))
                .expect(201)
                .path("id")
                .stringValue();
    }

    /** An agent that has joined. */
    private record Joined(String id, Registration registration, TestingClient client) {

        Heartbeat heartbeat() {
            return new Heartbeat(registration.clusterAddress(), Set.of(), false);
        }

        Answer beat(String key) {
            return client.withKey(key).post("/agents/%s/heartbeat".formatted(id), heartbeat());
        }
    }

    private Joined join(String name) {
        Registration registration = TestingLab.registration(name);
        String token =
                instance()
                        .administrator()
                        .post("/join-tokens", Map.of())
                        .expect(201)
                        .path("token")
                        .stringValue();
        Answer admitted = instance().client(token).post("/agents", registration);
        String id = admitted.expect(201).path("worker").stringValue();
        assertThat(location(admitted)).isEqualTo("/equipoise/api/v1/agents/" + id);
        return new Joined(id, registration, instance().client(registration.credential().text()));
    }

    private static @Nullable String location(Answer answer) {
        return answer.headers().getFirst(HttpHeaders.LOCATION);
    }

    /** Sends a GET to a path of the address, which is that of the service or outside of it. */
    private HttpResponse<String> get(String path, String header, String value)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(instance().address()).resolve(path))
                        .header(header, value)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a body to an encoded path, which the clients of other tests would encode again. */
    private HttpResponse<String> send(String method, String path, byte[] body, String... headers)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(instance().address() + path))
                        .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                        .headers(headers)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private byte[] json(Object body) {
        return instance().bean(JsonMapper.class).writeValueAsBytes(body);
    }

    private static String bearer(TestingClient client) {
        return "Bearer " + client.bearer();
    }

    private static String cookie(HttpResponse<String> response, String name) {
        return response.headers().allValues(HttpHeaders.SET_COOKIE).stream()
                .filter(it -> it.startsWith(name + "="))
                .findFirst()
                .orElseThrow();
    }

    private static String withoutAttributes(String cookie) {
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void sessionCookieIsThatOfThePath() {
        Map<String, String> credentials = user("ada");

        String cookie =
                String.valueOf(
                        nobody().post("/session", credentials)
                                .headers()
                                .getFirst(HttpHeaders.SET_COOKIE));

        assertThat(cookie).contains("; Path=/equipoise/api;");
        nobody().withHeader(HttpHeaders.COOKIE, withoutAttributes(cookie)).get("/me").expect(200);
        nobody().withHeader(HttpHeaders.COOKIE, SessionNames.COOKIE + "=ended")
                .post("/session", credentials)
                .expect(200);
    }

    @Test
    void identityProviderReturnsThePersonToTheDashboard() throws Exception {
        String start = nobody().get("/sign-in").expect(200).path("oidc").stringValue();
        assertThat(start).isEqualTo("/equipoise/oauth2/authorization/lab");
        HttpResponse<String> toProvider = get(start, HttpHeaders.ACCEPT, BROWSER);
        URI request =
                URI.create(toProvider.headers().firstValue(HttpHeaders.LOCATION).orElseThrow());

        HttpResponse<String> signedIn =
                get(
                        provider.agree(request).toString(),
                        HttpHeaders.COOKIE,
                        withoutAttributes(cookie(toProvider, "JSESSIONID")));

        assertThat(signedIn.headers().firstValue(HttpHeaders.LOCATION)).hasValue("/equipoise/");
        assertThat(cookie(signedIn, SessionNames.COOKIE)).contains("; Path=/equipoise/api;");
    }

    @Test
    void limitOfABodyIsThatOfItsPath() {
        byte[] large = new byte[LARGE_BYTES];
        TestingClient administrator = instance().administrator();

        join("uploader")
                .client()
                .put("/assignments/%s/checkpoints/1".formatted(UUID.randomUUID()), large)
                .problem(404, "not-found");
        administrator
                .post(
                        "/projects/%s/bundles".formatted(project("bundles")),
                        large,
                        MediaType.valueOf("application/zip"))
                .problem(400, "invalid-bundle");
        administrator
                .post("/projects", Map.of("name", "x".repeat(LARGE_BYTES)))
                .problem(413, "body-too-large");
    }

    @Test
    void repeatedRequestGetsTheSameLocation() throws Exception {
        TestingClient administrator = instance().administrator();
        TestingClient repeated = administrator.withKey(key);

        Answer first = repeated.post("/projects", Map.of("name", "repeated"));
        Answer second = repeated.post("/projects", Map.of("name", "repeated"));

        String path = "/equipoise/api/v1/projects/" + first.expect(201).path("id").stringValue();
        assertThat(location(first)).isEqualTo(path);
        assertThat(location(second)).isEqualTo(path);
        assertThat(second.headers().getFirst(REPLAYED)).isEqualTo("true");
        assertThat(get(path, HttpHeaders.AUTHORIZATION, bearer(administrator)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void keysOfAgentsAndSignInsAreIgnored() {
        Joined agent = join("repeater");
        Map<String, String> credentials = user("bob");
        TestingClient caller = instance().administrator().withKey(key);

        for (Answer answer :
                List.of(
                        agent.beat(key),
                        agent.beat(key),
                        caller.post("/session", credentials),
                        caller.post("/session", credentials))) {
            answer.expect(200);
            assertThat(answer.headers().getFirst(REPLAYED)).isNull();
        }
    }

    @Test
    void keysOfAgentsAreIgnoredAtEncodedPathsToo() throws Exception {
        Joined agent = join("encoder");

        for (int request = 0; request < 2; request++) {
            HttpResponse<String> beat =
                    send(
                            "POST",
                            "/api/v1/%61gents/" + agent.id() + "/heartbeat",
                            json(agent.heartbeat()),
                            HttpHeaders.AUTHORIZATION,
                            bearer(agent.client()),
                            HttpHeaders.CONTENT_TYPE,
                            "application/json",
                            "Idempotency-Key",
                            key);

            assertThat(beat.statusCode()).as(beat.body()).isEqualTo(200);
            assertThat(beat.headers().firstValue(REPLAYED)).isEmpty();
        }
    }

    @Test
    void browserWithAnEndedSessionSignsInAtAnEncodedPath() throws Exception {
        HttpResponse<String> signedIn =
                send(
                        "POST",
                        "/api/v1/%73ession",
                        json(user("cyd")),
                        HttpHeaders.CONTENT_TYPE,
                        "application/json",
                        HttpHeaders.COOKIE,
                        SessionNames.COOKIE + "=ended");

        assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(200);
    }

    @Test
    void limitOfABodyIsThatOfItsDecodedPath() throws Exception {
        byte[] large = new byte[LARGE_BYTES];

        HttpResponse<String> checkpoint =
                send(
                        "PUT",
                        "/api/v1/%61ssignments/" + UUID.randomUUID() + "/checkpoints/1",
                        large,
                        HttpHeaders.AUTHORIZATION,
                        bearer(join("encoding-uploader").client()),
                        HttpHeaders.CONTENT_TYPE,
                        "application/octet-stream");
        HttpResponse<String> bundle =
                send(
                        "POST",
                        "/api/v1/projects/" + project("encoded bundles") + "/%62undles",
                        large,
                        HttpHeaders.AUTHORIZATION,
                        bearer(instance().administrator()),
                        HttpHeaders.CONTENT_TYPE,
                        "application/zip");

        assertThat(checkpoint.statusCode()).as(checkpoint.body()).isEqualTo(404);
        assertThat(bundle.statusCode()).as(bundle.body()).isEqualTo(400);
        assertThat(bundle.body()).contains("\"invalid-bundle\"");
    }

    @Test
    void pageAndItsFilesAreServedBelowThePath() throws Exception {
        assertThat(get("/equipoise", HttpHeaders.ACCEPT, BROWSER).headers().firstValue("Location"))
                .hasValueSatisfying(it -> assertThat(it).endsWith("/equipoise/"));
        for (String path : List.of("/equipoise/", "/equipoise/runs/17?tab=log")) {
            HttpResponse<String> page = get(path, HttpHeaders.ACCEPT, BROWSER);

            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(page.body())
                    .contains("<meta name=\"equipoise-base\" content=\"/equipoise/\"")
                    .contains("href=\"/equipoise/favicon.svg\"")
                    .doesNotContain("=\"./");
            Matcher script = SCRIPT.matcher(page.body());
            assertThat(script.find()).isTrue();
            assertThat(get(script.group(1), HttpHeaders.ACCEPT, "*/*").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void rulesOfAccessHoldBelowThePathAndNothingIsServedOutsideOfIt() throws Exception {
        nobody().get("/users").problem(401, "unauthenticated");
        nobody().root("/actuator/prometheus").problem(401, "unauthenticated");
        join("curious").client().get("/users").problem(403, "forbidden");
        assertThat(
                        instance()
                                .administrator()
                                .post("/agents/%s/heartbeat".formatted(UUID.randomUUID()))
                                .problem(403, "forbidden")
                                .path("detail")
                                .stringValue())
                .isEqualTo("Only the agent of a registered worker may make this call");
        await().untilAsserted(() ->
                assertThat(nobody().root("/actuator/health").status()).isEqualTo(200));

        for (String path : List.of("/", "/runs", "/api/v1/me", "/actuator/health")) {
            assertThat(get(path, HttpHeaders.ACCEPT, BROWSER).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void descriptionOfTheApiNamesThePath() {
        assertThat(nobody().root("/api/openapi").expect(200).at("/servers/0/url").stringValue())
                .isEqualTo("/equipoise");
    }
}
