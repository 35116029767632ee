package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingLab;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/** Lists of runs: filters, order and pages. */
@RunningService
class RunListIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "NAME", "dataset": {"name": "mnist"},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 99}, "seeds": [1, 2, 3, 4, 5, 6, 7]}
            """;

    private final TestingLab lab;
    private final JdbcTemplate jdbc;
    private final RunLabelBackfill backfill;

    RunListIT(
            @Autowired TestingLab lab,
            @Autowired JdbcTemplate jdbc,
            @Autowired RunLabelBackfill backfill) {
        this.lab = lab;
        this.jdbc = jdbc;
        this.backfill = backfill;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static List<JsonNode> submit(TestingLab.Project project, String name) {
        return project.submit(DEFINITION.replace("NAME", name));
    }

    private static List<JsonNode> walk(TestingLab.Project project, String query, int limit) {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        while (true) {
            JsonNode page =
                    project.member()
                            .get("/runs?limit=%d&cursor=%s&%s".formatted(limit, cursor, query))
                            .expect(200);
            assertThat(page.path("items").size()).isLessThanOrEqualTo(limit);
            all.addAll(page.path("items").values());
            if (page.path("next").isNull()) {
                return all;
            }
            cursor = page.path("next").stringValue();
        }
    }

    private static List<String> ids(List<JsonNode> runs) {
        return runs.stream().map(it -> it.path("id").stringValue()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 500})
    void pagesContainEachRunOnce(int limit) {
        TestingLab.Project project = lab.project();
        submit(project, "one");
        submit(project, "two");

        List<String> all = ids(walk(project, "", limit));

        assertThat(all).hasSize(14).doesNotHaveDuplicates().isEqualTo(ids(walk(project, "", 500)));
    }

    @Test
    void runsAddedMeanwhileNeitherRepeatNorHideOthers() {
        TestingLab.Project project = lab.project();
        List<String> first = ids(submit(project, "one"));
        JsonNode page = project.member().get("/runs?limit=4").expect(200);

        submit(project, "two");
        JsonNode rest =
                project.member()
                        .get("/runs?limit=500&cursor=" + page.path("next").stringValue())
                        .expect(200);

        List<String> seen = new ArrayList<>(ids(List.copyOf(page.path("items").values())));
        seen.addAll(ids(List.copyOf(rest.path("items").values())));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(first);
    }

    @Test
    void runsAreFiltered() {
        TestingLab.Project project = lab.project();
        String one = submit(project, "Gossip study").getFirst().path("id").stringValue();
        submit(project, "ring");
        project.member().post("/runs/" + one + "/cancel").expect(200);
        String since = lab.clock().instant().plusSeconds(60).toString();

        assertThat(walk(project, "name=gossip", 100)).hasSize(7);
        assertThat(ids(walk(project, "state=CANCELLED", 100))).containsExactly(one);
        assertThat(walk(project, "state=CANCELLED,QUEUED", 100)).hasSize(14);
        assertThat(walk(project, "since=" + since, 100)).isEmpty();
        assertThat(walk(project, "until=" + since, 100)).hasSize(14);
        assertThat(walk(project, "project=" + project.id(), 100)).hasSize(14);
        assertThat(walk(project, "experiment=" + UUID.randomUUID(), 100)).isEmpty();
    }

    private static final String METHODS =
            """
            {"apiVersion": "equipoise/v1", "name": "methods", "dataset": {"name": "mnist"},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 99}, "seeds": [1, 2],
             "matrix": {"synchronization": ["bsp", {"kind": "local-sgd", "period": 4}]}}
            """;

    private static List<String> names(List<JsonNode> runs) {
        return runs.stream().map(it -> it.path("name").stringValue()).toList();
    }

    @Test
    void labelsStayAfterARerunAndARedefinition() {
        TestingLab.Project project = lab.project();
        List<JsonNode> first = project.submit(METHODS);
        String experiment = first.getFirst().path("experiment").stringValue();
        project.member()
                .put(
                        "/experiments/" + experiment,
                        METHODS.replace("[1, 2]", "[7]").replace("\"period\": 4", "\"period\": 8"))
                .expect(200);
        String run = first.get(1).path("id").stringValue();

        JsonNode again =
                project.member().post("/runs/" + run + "/rerun").expect(202).at("/items/0");
        JsonNode one = project.member().get("/runs/" + run).expect(200);

        assertThat(names(first))
                .containsExactly(
                        "methods: bsp, seed 1",
                        "methods: bsp, seed 2",
                        "methods: local-sgd, seed 1",
                        "methods: local-sgd, seed 2");
        assertThat(again.path("label").stringValue()).isEqualTo("bsp, seed 2");
        assertThat(one.path("label")).isEqualTo(again.path("label"));
        assertThat(one.path("name").stringValue()).isEqualTo("methods: bsp, seed 2");
        assertThat(names(walk(project, "", 100)))
                .containsExactlyInAnyOrder(
                        "methods: bsp, seed 1",
                        "methods: bsp, seed 2",
                        "methods: bsp, seed 2",
                        "methods: local-sgd, seed 1",
                        "methods: local-sgd, seed 2");
    }

    @Test
    void choiceThatIsOpenIsAutoInTheLabel() {
        String definition = METHODS.replace("[\"bsp\"", "[\"auto\", \"bsp\"");

        assertThat(names(lab.project().submit(definition)))
                .startsWith(
                        "methods: method auto, seed 1",
                        "methods: method auto, seed 2",
                        "methods: bsp, seed 1");
    }

    @Test
    void onlyConfigurationOfAVersionHasANumber() {
        TestingLab.Project project = lab.project();

        JsonNode run =
                project.submit(
                                DEFINITION
                                        .replace("NAME", "single")
                                        .replace("2, 3, 4, 5, 6, 7", "")
                                        .replace("[1, ]", "[1]"))
                        .getFirst();

        assertThat(run.path("label").stringValue()).isEmpty();
        assertThat(run.path("name").stringValue()).isEqualTo("single #1");
    }

    @Test
    void runsOfEarlierVersionsAreLabeled() {
        TestingLab.Project project = lab.project();
        List<JsonNode> runs = project.submit(METHODS);
        jdbc.update("update run set label = null");

        backfill.labelAll();

        assertThat(names(walk(project, "", 100)))
                .containsExactlyInAnyOrderElementsOf(names(runs))
                .contains("methods: local-sgd, seed 2");
    }

    @Test
    void runsAreSortedByFiguresWithMissingOnesLast() {
        TestingLab.Project project = lab.project();
        List<String> runs = ids(submit(project, "sorted"));
        Map<String, Double> accuracies =
                Map.of(runs.get(1), 0.5, runs.get(3), 0.9, runs.get(5), 0.7, runs.get(6), 0.7);
        accuracies.forEach((run, accuracy) ->
                jdbc.update(
                        """
                        update run
                        set measured = jsonb_build_object('epochSeconds', 1, 'testAccuracy', ?::float8,
                                                          'replicasIdentical', true)
                        where id = ?::uuid
                        """,
                        accuracy,
                        run));

        assertThat(ids(walk(project, "sort=-testAccuracy", 2)))
                .containsExactly(
                        runs.get(3),
                        runs.get(5),
                        runs.get(6),
                        runs.get(1),
                        runs.get(0),
                        runs.get(2),
                        runs.get(4));
        assertThat(ids(walk(project, "sort=testAccuracy", 2)))
                .startsWith(runs.get(1), runs.get(5), runs.get(6), runs.get(3))
                .hasSize(7);
        assertThat(walk(project, "sort=queuedAt", 2))
                .isSortedAccordingTo(Comparator.comparing(it -> it.path("queuedAt").stringValue()));
    }

    @Test
    void runsAreFilteredByTags() {
        TestingLab.Project project = lab.project();
        String run = submit(project, "tagged").getFirst().path("id").stringValue();
        List<String> tags = List.of("paper", "base line", "paper");

        JsonNode changed = project.member().patch("/runs/" + run, Map.of("tags", tags)).expect(200);

        assertThat(changed.path("tags").valueStream().map(JsonNode::stringValue))
                .containsExactly("base line", "paper");
        assertThat(changed.path("priority").intValue()).isZero();
        assertThat(ids(walk(project, "tag=paper", 100))).containsExactly(run);
        assertThat(walk(project, "tag=pap", 100)).isEmpty();
        project.member()
                .patch("/runs/" + run, Map.of("tags", List.of("<script>")))
                .problem(400, "invalid-request");
        project.member()
                .patch("/runs/" + run, Map.of("tags", List.of("x".repeat(51))))
                .problem(400, "invalid-request");
    }

    @Test
    void changeRequiresTheCurrentRevision() {
        TestingLab.Project project = lab.project();
        String path = "/runs/" + submit(project, "seen").getFirst().path("id").stringValue();
        String tag = String.valueOf(project.member().get(path).headers().getETag());
        project.member().patch(path, Map.of("tags", List.of("first"))).expect(200);

        project.member()
                .withHeader("If-Match", tag)
                .patch(path, Map.of("tags", List.of("second")))
                .problem(412, "precondition-failed");

        assertThat(project.member().get(path).expect(200).at("/tags/0").stringValue())
                .isEqualTo("first");
    }

    @Test
    void endedRunIsRerunAndRemoved() {
        TestingLab.Project project = lab.project();
        JsonNode first = submit(project, "again").get(2);
        String path = "/runs/" + first.path("id").stringValue();

        project.member().delete(path).problem(409, "illegal-state");
        project.member().post(path + "/cancel").expect(200);
        JsonNode again = project.member().post(path + "/rerun").expect(202).at("/items/0");
        project.member().delete(path).expect(204);

        assertThat(again.path("state").stringValue()).isEqualTo("QUEUED");
        assertThat(again.path("position").intValue()).isEqualTo(2);
        assertThat(again.path("seed")).isEqualTo(first.path("seed"));
        project.member().get(path).problem(404, "not-found");
        project.member().get("/runs/" + again.path("id").stringValue()).expect(200);
    }

    @Test
    void projectBeyondItsStorageQuotaQueuesNothing() {
        TestingLab.Project project = lab.project();
        List<JsonNode> runs = submit(project, "stored");
        lab.administrator()
                .put("/projects/" + project.id() + "/quota", Map.of("storedBytes", 1))
                .expect(200);

        project.member()
                .post("/runs/" + runs.getFirst().path("id").stringValue() + "/rerun")
                .problem(409, "quota-exceeded");
        project.member()
                .post("/experiments/" + runs.getFirst().path("experiment").stringValue() + "/runs")
                .problem(409, "quota-exceeded");
        project.member()
                .post(
                        "/projects/" + project.id() + "/experiments",
                        DEFINITION.replace("NAME", "one more"))
                .problem(409, "quota-exceeded");
    }

    @Test
    void invalidSortOrdersAndCursorsAreRejected() {
        TestingLab.Project project = lab.project();
        submit(project, "one");
        String cursor =
                project.member().get("/runs?limit=1").expect(200).path("next").stringValue();

        project.member().get("/runs?sort=color").problem(400, "invalid-request");
        assertThat(project.member().get("/runs?sort=-acuracy").violations())
                .containsExactly("?sort is not a field; did you mean accuracy?");
        project.member().get("/runs?sort=;drop table run").problem(400, "invalid-request");
        project.member().get("/runs?cursor=nowhere").problem(400, "invalid-request");
        project.member()
                .get("/runs?sort=testLoss&cursor=" + cursor)
                .problem(400, "invalid-request");
        project.member().get("/runs?since=yesterday").problem(400, "invalid-request");
        project.member().get("/runs?state=SLEEPING").problem(400, "invalid-request");
        project.member().get("/runs?state=,QUEUED").problem(400, "invalid-request");
        project.member().get("/runs?limit=501").problem(400, "invalid-request");
    }

    @Test
    void otherListsHavePages() {
        TestingLab.Project project = lab.project();
        lab.agents(5);
        for (int number = 0; number < 5; number++) {
            project.define(DEFINITION.replace("NAME", "list " + number));
        }

        for (String path :
                List.of(
                        "/workers?state=IDLE",
                        "/projects/" + project.id() + "/experiments?",
                        "/audit?project=" + project.id())) {
            List<String> seen = new ArrayList<>();
            String cursor = "";
            do {
                JsonNode page =
                        lab.administrator().get(path + "&limit=2&cursor=" + cursor).expect(200);
                page.path("items").values().forEach(it -> seen.add(it.path("id").toString()));
                cursor = page.path("next").isNull() ? "" : page.path("next").stringValue();
            } while (!cursor.isEmpty());
            assertThat(seen).as(path).hasSizeGreaterThanOrEqualTo(5).doesNotHaveDuplicates();
        }
    }
}
