package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@RunningService
class ExperimentIT {

    private static final String YAML =
            """
            apiVersion: equipoise/v1
            name: study
            dataset: { name: mnist, limit: 3000 }
            network: { preset: mnist-cnn }
            training: { epochs: 2 }
            workers: { replicas: 3 }
            matrix: { partitioning: [equal, functional] }
            seeds: [1, 2]
            """;

    private static final String JSON =
            """
            {"apiVersion": "equipoise/v1", "name": "study",
             "dataset": {"name": "mnist", "limit": 3000}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 2}, "workers": {"replicas": 3},
             "matrix": {"partitioning": ["equal", "functional"]}, "seeds": [1, 2]}
            """;

    private static final String SHORTER =
            """
            {"apiVersion": "equipoise/v1", "name": "study",
             "dataset": {"name": "mnist", "limit": 3000}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 1}, "workers": {"replicas": 3}}
            """;

    private final TestingLab lab;

    ExperimentIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    @Test
    void yamlAndJsonAreEquivalent() {
        TestingLab.Project project = lab.project();
        String path = "/experiments/validate";
        JsonNode ofYaml =
                project.member()
                        .call(HttpMethod.POST, path, YAML, MediaType.APPLICATION_YAML)
                        .expect(200);
        JsonNode ofJson = project.member().post(path, JSON).expect(200);

        assertThat(ofYaml).isEqualTo(ofJson);
        assertThat(ofYaml.path("configurations")).hasSize(4);
    }

    @Test
    void definitionIsStoredUnchangedAndResolved() {
        TestingLab.Project project = lab.project();
        JsonNode stored =
                project.member()
                        .call(
                                HttpMethod.POST,
                                "/projects/" + project.id() + "/experiments",
                                YAML,
                                MediaType.APPLICATION_YAML)
                        .expect(201);

        assertThat(stored.path("name").stringValue()).isEqualTo("study");
        assertThat(stored.path("version").intValue()).isEqualTo(1);
        assertThat(stored.path("project").stringValue()).isEqualTo(project.id());
        assertThat(stored.path("definition")).isEqualTo(JsonMapper.shared().readTree(JSON));
        assertThat(stored.path("configurations"))
                .extracting(it ->
                        it.at("/partitioning/kind").stringValue() + it.path("seed").intValue())
                .containsExactly("equal1", "equal2", "functional1", "functional2");
        JsonNode read =
                project.member().get("/experiments/" + stored.path("id").stringValue()).expect(200);
        assertThat(read.path("configurations")).isEqualTo(stored.path("configurations"));
        assertThat(read.path("definition")).isEqualTo(stored.path("definition"));
    }

    @Test
    void sameNameIsTheNextVersionInItsProject() {
        TestingLab.Project project = lab.project();
        project.define(JSON);

        assertThat(project.define(JSON).path("version").intValue()).isEqualTo(2);
        assertThat(lab.project().define(JSON).path("version").intValue()).isEqualTo(1);
        JsonNode listed =
                project.member()
                        .get("/projects/" + project.id() + "/experiments")
                        .expect(200)
                        .path("items");
        assertThat(listed).extracting(it -> it.path("version").intValue()).containsExactly(2, 1);
        assertThat(listed.path(0).path("configurationCount").intValue()).isEqualTo(4);
        assertThat(listed.path(0).propertyNames()).doesNotContain("definition", "configurations");
    }

    @Test
    void allViolationsAreInOneResponse() {
        TestingLab.Project project = lab.project();
        Answer answer =
                project.member()
                        .post(
                                "/projects/" + project.id() + "/experiments",
                                JSON.replace("\"epochs\": 2", "\"epochs\": 0")
                                        .replace("[1, 2]", "[1, \"x\"]")
                                        .replace("\"replicas\"", "\"replicants\""));

        assertThat(answer.problem(400, "invalid-definition").path("detail").stringValue())
                .isEqualTo("4 rules are broken");
        assertThat(answer.violations())
                .containsExactly(
                        "/training/epochs must be from 1 to 100000",
                        "/workers/replicas must be given",
                        "/workers/replicants is not a field; did you mean replicas? The"
                                + " fields here are [minimum, replicas, selector]",
                        "/seeds/1 must be a whole number of 64 bits");
        assertThat(answer.body().at("/errors/0/value").intValue()).isZero();
        assertThat(answer.body().at("/errors/3/value").stringValue()).isEqualTo("x");
        assertThat(
                        project.member()
                                .get("/projects/" + project.id() + "/experiments")
                                .expect(200)
                                .path("items"))
                .isEmpty();
    }

    @Test
    void hugeNumbersAreRejected() {
        TestingLab.Project project = lab.project();
        Answer answer =
                project.member()
                        .post(
                                "/experiments/validate",
                                JSON.replace(
                                        "\"epochs\": 2",
                                        "\"epochs\": 1e99, \"optimizer\": {\"learningRate\":"
                                                + " 1e400}"));

        answer.problem(400, "invalid-definition");
        assertThat(answer.violations()).hasSize(2);
    }

    @Test
    void textThatCannotBeStoredIsAClientError() {
        TestingLab.Project project = lab.project();
        project.member()
                .post(
                        "/projects/" + project.id() + "/experiments",
                        JSON.replace("study", "st\\u0000udy"))
                .problem(400, "malformed-body");
    }

    @Test
    void nameThatCouldForgeALogLineIsRejected() {
        TestingLab.Project project = lab.project();
        Answer answer =
                project.member()
                        .post(
                                "/projects/" + project.id() + "/experiments",
                                JSON.replace("study", "st\\nFORGED ERROR udy"));

        answer.problem(400, "invalid-definition");
        assertThat(answer.violations())
                .containsExactly("/name must not contain control characters or line separators");
    }

    @Test
    void dataSetsAreListedWithTheirTermsForCallers() {
        JsonNode sets = lab.project().member().get("/datasets").expect(200).path("items");

        assertThat(sets)
                .extracting(it -> it.path("name").stringValue())
                .containsExactly(
                        "mnist",
                        "fashion-mnist",
                        "cifar-10",
                        "cifar-100",
                        "optdigits",
                        "nettalk",
                        "brown");
        assertThat(sets)
                .allSatisfy(it -> {
                    assertThat(it.path("terms").stringValue()).isNotBlank();
                    assertThat(it.path("citation").stringValue()).isNotBlank();
                    assertThat(it.at("/files/0/md5").stringValue()).hasSize(32);
                    assertThat(it.at("/sources/0/address").stringValue()).startsWith("http");
                });
        assertThat(sets.at("/2/input").toString())
                .isEqualTo("{\"kind\":\"image\",\"height\":32,\"width\":32,\"channels\":3}");
        lab.nobody().get("/datasets").problem(401, "unauthenticated");
    }

    @Test
    void networksAreListedWithLayersAndSizes() {
        JsonNode networks = lab.project().member().get("/networks").expect(200);

        assertThat(networks.path("presets"))
                .extracting(it -> it.path("name").stringValue())
                .contains("mnist-cnn", "lstm-lm");
        assertThat(networks.at("/presets/2/parameters").intValue()).isEqualTo(431_080);
        assertThat(networks.at("/presets/2/layers/0").toString())
                .isEqualTo("{\"conv2d\":{\"filters\":20,\"kernel\":5,\"stride\":1,\"padding\":0}}");
        assertThat(networks.at("/communicationModels/0/name").stringValue()).isEqualTo("alexnet");
        assertThat(networks.at("/communicationModels/0/parameters").intValue())
                .isEqualTo(60_965_224);
        lab.nobody().get("/networks").problem(401, "unauthenticated");
    }

    private static String path(JsonNode experiment) {
        return "/experiments/" + experiment.path("id").stringValue();
    }

    @Test
    void redefinitionIsTheNextVersionAndKeepsRuns() {
        TestingLab.Project project = lab.project();
        JsonNode first = project.define(JSON);
        String path = path(first);
        String run = submitted(project, path).path("id").stringValue();

        JsonNode second = project.member().put(path, SHORTER).expect(200);

        assertThat(second.path("version").intValue()).isEqualTo(2);
        assertThat(second.path("id")).isEqualTo(first.path("id"));
        assertThat(second.path("createdAt")).isEqualTo(first.path("createdAt"));
        assertThat(second.path("configurations")).hasSize(1);
        assertThat(project.member().get(path).expect(200)).isEqualTo(second);
        assertThat(project.member().get(path + "?version=1").expect(200)).isEqualTo(first);
        project.member().get(path + "?version=3").problem(404, "not-found");
        assertThat(project.run(run).path("experimentVersion").intValue()).isEqualTo(1);
        assertThat(project.run(run).at("/configuration/training/epochs").intValue()).isEqualTo(2);
        JsonNode later = submitted(project, path);
        assertThat(later.path("experimentVersion").intValue()).isEqualTo(2);
        assertThat(project.define(JSON).path("version").intValue())
                .as("versions are counted by name")
                .isEqualTo(3);
    }

    @Test
    void rerunUsesTheVersionOfTheRun() {
        TestingLab.Project project = lab.project();
        String path = path(project.define(JSON));
        String last =
                project.member().post(path + "/runs").expect(202).at("/items/3/id").stringValue();
        project.member().put(path, SHORTER).expect(200);

        JsonNode again =
                project.member().post("/runs/" + last + "/rerun").expect(202).at("/items/0");

        assertThat(again.path("experimentVersion").intValue()).isEqualTo(1);
        assertThat(project.run(again.path("id").stringValue()).path("configuration"))
                .isEqualTo(project.run(last).path("configuration"));
    }

    @Test
    void redefinitionNeedsTheLatestVersion() {
        TestingLab.Project project = lab.project();
        String path = path(project.define(JSON));
        String tag = String.valueOf(project.member().get(path).headers().getETag());
        TestingClient seen = project.member().withHeader("If-Match", tag);
        project.member().withHeader("If-None-Match", tag).get(path).expect(304);

        seen.put(path, SHORTER).expect(200);
        assertThat(seen.put(path, SHORTER).expect(200).path("version").intValue())
                .as("repeated after a lost response")
                .isEqualTo(2);
        seen.put(path, JSON).problem(412, "precondition-failed");
        String slow =
                SHORTER.replace(
                        "\"epochs\": 1",
                        "\"epochs\": 1, \"optimizer\": {\"kind\": \"sgd\", \"learningRate\": 0.01}");
        int third = project.member().put(path, slow).expect(200).path("version").intValue();
        assertThat(
                        project.member()
                                .put(path, slow.replace("0.01}", "1e-2}"))
                                .expect(200)
                                .path("version")
                                .intValue())
                .as("equal with another notation")
                .isEqualTo(third);
        assertThat(project.member().put(path, SHORTER.replace("study", "other")).violations())
                .singleElement()
                .asString()
                .startsWith("/name must stay study");
        lab.member(project, "viewer").put(path, JSON).problem(403, "forbidden");
        lab.project().member().put(path, JSON).problem(404, "not-found");
    }

    @Test
    void bundleHasOneVersion() {
        TestingLab.Project project = lab.project();
        String path = path(project.define(JSON));
        String run = submitted(project, path).path("id").stringValue();
        project.member().put(path, SHORTER).expect(200);

        assertThat(project.member().bytes(path + "/bundle")).as("it has no runs yet").isNotEmpty();
        project.member().get(path + "/bundle?version=1").problem(409, "illegal-state");
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("QUEUED");
    }

    @Test
    void experimentIsRemovedOnceItHasNoRuns() {
        TestingLab.Project project = lab.project();
        String path = path(project.define(SHORTER));
        String run = "/runs/" + submitted(project, path).path("id").stringValue();
        project.member().put(path, JSON).expect(200);

        project.member().delete(path).problem(409, "has-runs");
        project.member().post(run + "/cancel").expect(200);
        project.member().delete(path).problem(409, "has-runs");
        project.member().delete(run).expect(204);
        lab.member(project, "viewer").delete(path).problem(403, "forbidden");
        lab.project().member().delete(path).problem(404, "not-found");
        project.member().delete(path).expect(204);

        project.member().get(path).problem(404, "not-found");
        project.member().delete(path).problem(404, "not-found");
        assertThat(
                        lab.administrator()
                                .get("/audit?project=" + project.id())
                                .expect(200)
                                .path("items"))
                .extracting(it -> it.path("action").stringValue())
                .contains("experiment-redefined", "experiment-removed");
    }

    private static JsonNode submitted(TestingLab.Project project, String path) {
        return project.member().post(path + "/runs").expect(202).at("/items/0");
    }
}
