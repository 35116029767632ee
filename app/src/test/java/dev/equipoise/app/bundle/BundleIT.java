package dev.equipoise.app.bundle;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@RunningService
class BundleIT {

    private static final MediaType ZIP = MediaType.parseMediaType("application/zip");

    private final TestingLab lab;
    private final JdbcClient database;
    private final StoredStudies stored;
    private final JsonMapper json;
    private final int port;

    BundleIT(
            @Autowired TestingLab lab,
            @Autowired JdbcClient database,
            @Autowired StoredStudies stored,
            @Autowired JsonMapper json,
            @LocalServerPort int port) {
        this.lab = lab;
        this.database = database;
        this.stored = stored;
        this.json = json;
        this.port = port;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private byte[] bundle(TestingHistory history) {
        return history.project().member().bytes("/experiments/" + history.experiment() + "/bundle");
    }

    @Test
    void importedStudyIsRepeatedAndCompared() {
        TestingHistory history = TestingHistory.in(lab);
        TestingLab.Project other = lab.project();
        JsonNode created =
                other.member()
                        .post("/projects/" + other.id() + "/bundles", bundle(history), ZIP)
                        .expect(201);
        String experiment = created.path("id").stringValue();
        List<String> runs = TestingHistory.run(other, history.agents(), experiment);

        JsonNode imported =
                other.member().get("/experiments/" + experiment + "/imported").expect(200);

        assertThat(created.path("name").stringValue()).isEqualTo("history");
        assertThat(imported.at("/study/experiment/id").stringValue())
                .isEqualTo(history.experiment());
        assertThat(imported.at("/study/runs"))
                .extracting(it -> it.path("id").stringValue())
                .containsExactlyElementsOf(history.runs());
        JsonNode first = imported.at("/study/runs/0");
        assertThat(first.path("seed").intValue()).isEqualTo(1);
        assertThat(first.path("epochSeconds").doubleValue()).isEqualTo(2);
        assertThat(first.at("/epochs/1/testAccuracy").doubleValue()).isEqualTo(0.82, within(1e-9));
        assertThat(first.at("/epochs/1/bytesSent").intValue()).isEqualTo(4000);
        assertThat(imported.at("/study/workers/0/host/backend").stringValue()).isEqualTo("oneDNN");
        assertThat(imported.path("again"))
                .extracting(it -> it.path("here").stringValue())
                .containsExactlyElementsOf(runs);
        assertThat(imported.at("/again/0/epochSecondsRatio").doubleValue()).isEqualTo(1);
        assertThat(imported.at("/again/0/accuracyDifference").doubleValue()).isZero();
    }

    @Test
    void newestOfSeveralRunsIsCompared() {
        TestingHistory history = TestingHistory.in(lab);
        TestingLab.Project other = lab.project();
        String experiment = importBundle(other, bundle(history));
        List<String> older = TestingHistory.run(other, history.agents(), experiment);
        lab.clock().advance(Duration.ofSeconds(1));
        List<String> newer = TestingHistory.run(other, history.agents(), experiment);

        JsonNode imported =
                other.member().get("/experiments/" + experiment + "/imported").expect(200);

        assertThat(imported.path("again"))
                .extracting(it -> it.path("here").stringValue())
                .containsExactlyElementsOf(newer)
                .doesNotContainAnyElementsOf(older);
    }

    @Test
    void importedRunsArePaged() {
        TestingHistory history = TestingHistory.in(lab);
        TestingLab.Project other = lab.project();
        String experiment = importBundle(other, bundle(history));
        TestingHistory.run(other, history.agents(), experiment);
        String path = "/experiments/" + experiment + "/imported?limit=1";

        JsonNode first = other.member().get(path).expect(200);
        String next = first.path("next").stringValue();
        JsonNode second = other.member().get(path + "&cursor=" + next).expect(200);
        JsonNode third =
                other.member()
                        .get(path + "&cursor=" + second.path("next").stringValue())
                        .expect(200);

        assertThat(List.of(first, second))
                .allSatisfy(it -> assertThat(it.at("/study/runs")).hasSize(1))
                .extracting(it -> it.at("/study/runs/0/id").stringValue())
                .containsExactlyElementsOf(history.runs());
        assertThat(List.of(first, second))
                .extracting(it -> it.at("/again/0/there").stringValue())
                .containsExactlyElementsOf(history.runs());
        assertThat(second.at("/study/workers")).hasSize(2);
        assertThat(third.at("/study/runs")).isEmpty();
        assertThat(third.path("next").isNull()).isTrue();
        other.member().get(path + "&cursor=nowhere").problem(400, "invalid-request");
        other.member()
                .get("/experiments/" + experiment + "/imported?limit=501")
                .problem(400, "invalid-request");
    }

    private static String importBundle(TestingLab.Project project, byte[] bundle) {
        return project.member()
                .post("/projects/" + project.id() + "/bundles", bundle, ZIP)
                .expect(201)
                .path("id")
                .stringValue();
    }

    @Test
    void bundleOverTheStorageQuotaIsRejected() {
        TestingHistory history = TestingHistory.in(lab);
        TestingLab.Project other = lab.project();
        UUID project = UUID.fromString(other.id());
        assertThat(stored.bytes(project)).isZero();
        lab.administrator()
                .put("/projects/" + other.id() + "/quota", Map.of("storedBytes", 3_000))
                .expect(200);

        importBundle(other, bundle(history));

        assertThat(stored.bytes(project)).isGreaterThan(1_000);
        byte[] another = another(history);
        other.member()
                .post("/projects/" + other.id() + "/bundles", another, ZIP)
                .problem(409, "quota-exceeded");
        other.member()
                .post("/projects/" + other.id() + "/bundles", bundle(history), ZIP)
                .expect(200);
    }

    /** Returns a bundle that differs in its name. */
    private byte[] another(TestingHistory history) {
        Map<String, String> files = TestingZips.unzip(bundle(history));
        files.computeIfPresent(
                "definition.json", (_, text) -> text.replace("\"history\"", "\"another\""));
        return withManifest(files);
    }

    /** Packs the files with a manifest that matches them. */
    private byte[] withManifest(Map<String, String> files) {
        ObjectNode manifest =
                json.readTree(Objects.requireNonNull(files.get("manifest.json"))).asObject();
        var list = manifest.withArray("files").removeAll();
        files.forEach((path, text) -> {
            if (!path.equals("manifest.json")) {
                list.addObject()
                        .put("path", path)
                        .put("sha256", checksum(text))
                        .put("bytes", text.getBytes(StandardCharsets.UTF_8).length);
            }
        });
        files.put("manifest.json", manifest.toString());
        return TestingZips.zip(files);
    }

    @Test
    void bundleWithTooManyEpochsIsRejected() {
        TestingHistory history = TestingHistory.in(lab);
        Map<String, String> files = TestingZips.unzip(bundle(history));
        String epoch =
                "{\"epoch\":1,\"epochSeconds\":1,\"meanLoss\":1,\"testAccuracy\":1,\"testLoss\":1,\"replicasIdentical\":true,\"ranks\":[]}";
        String epochs = "[" + (epoch + ",").repeat(ImportedBundle.MAX_EPOCHS / 2) + epoch + "]";
        for (String name : List.of("runs/0001.json", "runs/0002.json")) {
            files.computeIfPresent(
                    name,
                    (_, text) ->
                            text.replaceFirst(
                                    "(?s)\"epochs\" : \\[.*\\],(\\s*\"links\")",
                                    "\"epochs\" : " + epochs + ",$1"));
        }
        TestingLab.Project other = lab.project();

        Answer rejected =
                other.member()
                        .post("/projects/" + other.id() + "/bundles", withManifest(files), ZIP);

        rejected.problem(400, "invalid-bundle");
        assertThat(rejected.violations())
                .containsExactly("/runs/0002.json/epochs must have at most 100000 in total");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"testAccuracy\" : [0-9.]+ | \"testAccuracy\" : 5 | testAccuracy must be from 0.0 to 1.0",
                "\"wallSeconds\" : [0-9.]+ | \"wallSeconds\" : 1.7e308 | epochs/0/ranks/0/wallSeconds must be from 0.0 to 1.0E30",
                "\"bytesSent\" : [0-9]+ | \"bytesSent\" : 9223372036854775807 | epochs/0/ranks/0/bytesSent must be from 0 to 9007199254740992"
            })
    void figuresThatCannotBeAreRejected(String figure, String impossible, String rule) {
        TestingHistory history = TestingHistory.in(lab);
        Map<String, String> files = TestingZips.unzip(bundle(history));
        files.computeIfPresent(
                "runs/0001.json", (_, text) -> text.replaceFirst(figure, impossible));
        TestingLab.Project other = lab.project();

        Answer rejected =
                other.member()
                        .post("/projects/" + other.id() + "/bundles", withManifest(files), ZIP);

        rejected.problem(400, "invalid-bundle");
        assertThat(rejected.violations()).contains("/runs/0001.json/" + rule);
    }

    /** The rejection comes although the body never arrives. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Idempotency-Key: some-key\r\n"})
    void uploadWithoutPermissionIsRejectedBeforeTheBodyIsRead(String header) throws IOException {
        TestingLab.Project project = lab.project();
        assertThat(statusWithoutBody(project.id(), lab.member(project, "viewer"), header))
                .startsWith("HTTP/1.1 403");
        assertThat(statusWithoutBody(project.id(), lab.project().member(), header))
                .startsWith("HTTP/1.1 404");
        assertThat(statusWithoutBody("none", project.member(), header)).startsWith("HTTP/1.1 400");
    }

    @Test
    void secondConcurrentUploadOfAProjectIsRejected() throws Exception {
        TestingLab.Project project = lab.project();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var statuses = new ExecutorCompletionService<String>(callers);
            for (int caller = 0; caller < 2; caller++) {
                statuses.submit(() -> statusWithoutBody(project.id(), project.member(), ""));
            }

            assertThat(statuses.take().get()).startsWith("HTTP/1.1 503");
            callers.shutdownNow();
        }
    }

    private String statusWithoutBody(String project, TestingClient caller, String header)
            throws IOException {
        String head =
                """
                POST /api/v1/projects/%s/bundles HTTP/1.1\r
                Host: 127.0.0.1\r
                Authorization: Bearer %s\r
                Content-Type: application/zip\r
                Content-Length: 10000000\r
                %s\r
                """
                        .formatted(project, caller.bearer(), header);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            return String.valueOf(
                    new BufferedReader(
                                    new InputStreamReader(
                                            socket.getInputStream(), StandardCharsets.US_ASCII))
                            .readLine());
        }
    }

    @Test
    void speedsOfABundleAreAValidExecution() {
        TestingHistory history = TestingHistory.in(lab);
        TestingLab.Project other = lab.project();
        String experiment =
                other.member()
                        .post("/projects/" + other.id() + "/bundles", bundle(history), ZIP)
                        .expect(201)
                        .path("id")
                        .stringValue();
        JsonNode execution =
                other.member()
                        .get("/experiments/" + experiment + "/imported")
                        .expect(200)
                        .at("/study/runs/0/execution");
        ObjectNode definition = json.readTree(TestingHistory.DEFINITION).asObject();
        definition.set("execution", execution);

        JsonNode resolved =
                other.member().post("/experiments/validate", definition.toString()).expect(200);

        assertThat(execution.at("/speeds/1/points/1/seconds").doubleValue()).isEqualTo(0.01);
        assertThat(resolved.at("/configurations/0/execution/speeds")).hasSize(2);
    }

    @Test
    void repeatedImportReturnsTheSameExperiment() {
        TestingHistory history = TestingHistory.in(lab);
        byte[] bundle = bundle(history);
        TestingLab.Project other = lab.project();
        String path = "/projects/" + other.id() + "/bundles";

        JsonNode first = other.member().post(path, bundle, ZIP).expect(201);
        JsonNode second = other.member().post(path, bundle(history), ZIP).expect(200);

        assertThat(bundle(history)).isEqualTo(bundle);
        assertThat(second.path("id")).isEqualTo(first.path("id"));
    }

    @Test
    void bundleContainsNoSecretsOrAddresses() {
        TestingHistory history = TestingHistory.in(lab);

        String all = String.join("\n", TestingZips.unzip(bundle(history)).values());

        assertThat(all)
                .doesNotContain("member", history.project().id(), "eqp_", "eqw_", ":5701", "/work");
    }

    @Test
    void bundleWithAnInvalidDefinitionStoresNothing() {
        TestingHistory history = TestingHistory.in(lab);
        Map<String, String> files = TestingZips.unzip(bundle(history));
        String old = Objects.requireNonNull(files.get("definition.json"));
        String rejected = old.replace("\"epochs\" : 2", "\"epochs\" : 0");
        files.put("definition.json", rejected);
        files.compute(
                "manifest.json",
                (_, manifest) -> manifest.replace(checksum(old), checksum(rejected)));
        TestingLab.Project other = lab.project();
        long before = studies();

        var response =
                other.member()
                        .post("/projects/" + other.id() + "/bundles", TestingZips.zip(files), ZIP);

        response.problem(400, "invalid-definition");
        assertThat(response.violations())
                .containsExactly("/training/epochs must be from 1 to 100000");
        assertThat(studies()).isEqualTo(before);
    }

    private static String checksum(String text) {
        return Checksum.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private long studies() {
        return database.sql("select count(*) from experiment").query(Long.class).single()
                + database.sql("select count(*) from imported_study").query(Long.class).single();
    }

    @Test
    void invalidZipIsRejected() {
        TestingLab.Project project = lab.project();

        project.member()
                .post("/projects/" + project.id() + "/bundles", new byte[] {1, 2}, ZIP)
                .problem(400, "invalid-bundle");
    }

    @Test
    void experimentWithActiveRunsIsNotExported() {
        TestingLab.Project project = lab.project();
        String run = project.submitOne(TestingHistory.DEFINITION);
        String experiment = project.run(run).path("experiment").stringValue();

        project.member()
                .get("/experiments/" + experiment + "/bundle")
                .problem(409, "illegal-state");
    }

    @Test
    void bundlesOfOtherProjectsAreNotFound() {
        TestingLab.Project project = lab.project();
        String experiment = project.define(TestingHistory.DEFINITION).path("id").stringValue();
        TestingLab.Project other = lab.project();

        other.member().get("/experiments/" + experiment + "/bundle").problem(404, "not-found");
        other.member().get("/experiments/" + experiment + "/imported").problem(404, "not-found");
        project.member().get("/experiments/" + experiment + "/imported").problem(404, "not-found");
        other.member()
                .post("/projects/" + project.id() + "/bundles", new byte[] {1}, ZIP)
                .problem(404, "not-found");
        other.member()
                .post("/projects/" + UUID.randomUUID() + "/bundles", new byte[] {1}, ZIP)
                .problem(404, "not-found");
    }
}
