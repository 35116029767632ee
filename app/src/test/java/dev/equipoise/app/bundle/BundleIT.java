package dev.equipoise.app.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
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
    private final JsonMapper json;

    BundleIT(
            @Autowired TestingLab lab, @Autowired JdbcClient database, @Autowired JsonMapper json) {
        this.lab = lab;
        this.database = database;
        this.json = json;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private byte[] bundle(TestingHistory history) {
        return history.project().member().bytes("/experiments/" + history.experiment() + "/bundle");
    }

    @Test
    void aStudyIsRunAgainElsewhereAndCompared() {
        TestingHistory history = TestingHistory.in(lab);
        TestingLab.Project other = lab.project();
        JsonNode taken =
                other.member()
                        .post("/projects/" + other.id() + "/bundles", bundle(history), ZIP)
                        .expect(201);
        String experiment = taken.path("id").stringValue();
        List<String> runs = TestingHistory.run(other, history.agents(), experiment);

        JsonNode imported =
                other.member().get("/experiments/" + experiment + "/imported").expect(200);

        assertThat(taken.path("name").stringValue()).isEqualTo("history");
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
    void theSpeedsOfABundleMakeADefinitionOfIt() {
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
    void theSameBundleTwiceIsOneExperimentAndTheSameBytes() {
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
    void aBundleTellsNothingOfWhoeverMadeIt() {
        TestingHistory history = TestingHistory.in(lab);

        String all = String.join("\n", TestingZips.unzip(bundle(history)).values());

        assertThat(all)
                .doesNotContain("member", history.project().id(), "eqp_", "eqw_", ":5701", "/work");
    }

    @Test
    void nothingIsStoredOfABundleWhoseDefinitionIsRefusedHere() {
        TestingHistory history = TestingHistory.in(lab);
        Map<String, String> files = TestingZips.unzip(bundle(history));
        String old = Objects.requireNonNull(files.get("definition.json"));
        String refused = old.replace("\"epochs\" : 2", "\"epochs\" : 0");
        files.put("definition.json", refused);
        files.compute(
                "manifest.json",
                (_, manifest) -> manifest.replace(checksum(old), checksum(refused)));
        TestingLab.Project other = lab.project();
        long before = studies();

        var answer =
                other.member()
                        .post("/projects/" + other.id() + "/bundles", TestingZips.zip(files), ZIP);

        answer.problem(400, "invalid-definition");
        assertThat(answer.violations())
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
    void whatIsNoBundleIsRefused() {
        TestingLab.Project project = lab.project();

        project.member()
                .post("/projects/" + project.id() + "/bundles", new byte[] {1, 2}, ZIP)
                .problem(400, "invalid-bundle");
    }

    @Test
    void anExperimentWhoseRunsAreUnderWayIsNotBundled() {
        TestingLab.Project project = lab.project();
        String run = project.submitOne(TestingHistory.DEFINITION);
        String experiment = project.run(run).path("experiment").stringValue();

        project.member()
                .get("/experiments/" + experiment + "/bundle")
                .problem(409, "illegal-state");
    }

    @Test
    void aBundleIsOfOnesOwnProjectAlone() {
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
