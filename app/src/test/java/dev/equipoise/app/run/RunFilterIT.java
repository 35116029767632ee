package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.filter.FilterField;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/** Lists of runs that are filtered and sorted by fields of the configuration and by results. */
@RunningService
class RunFilterIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "NAME", "dataset": {"name": "mnist"},
             "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 1, "optimizer": {"kind": "sgd", "learningRate": 0.1}},
             "workers": {"replicas": 99, "selector": {"room": "NAME"}},
             "synchronization": SYNCHRONIZATION,
             "matrix": {"training.batchSize": [16, 32]}, "seeds": [1, 2]}
            """;

    private static final String BSP = "{\"kind\": \"bsp\"}";
    private static final String LOCAL = "{\"kind\": \"local-sgd\", \"period\": 5}";

    private final TestingLab lab;
    private final JdbcTemplate jdbc;

    RunFilterIT(@Autowired TestingLab lab, @Autowired JdbcTemplate jdbc) {
        this.lab = lab;
        this.jdbc = jdbc;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Queues four runs: two mini-batch sizes with two seeds. */
    private static List<String> submit(
            TestingLab.Project project, String name, String synchronization) {
        return ids(
                project.submit(
                        DEFINITION
                                .replace("NAME", name)
                                .replace("SYNCHRONIZATION", synchronization)));
    }

    private static List<String> ids(List<JsonNode> runs) {
        return runs.stream().map(it -> it.path("id").stringValue()).toList();
    }

    private static List<String> list(TestingLab.Project project, String filter) {
        return ids(
                List.copyOf(
                        project.member()
                                .get("/runs?limit=500&filter=" + filter)
                                .expect(200)
                                .path("items")
                                .values()));
    }

    private void measure(String run, double accuracy) {
        jdbc.update(
                """
                update run
                set measured = jsonb_build_object('epochSeconds', 1, 'testAccuracy', ?::float8,
                                                  'replicasIdentical', true)
                where id = ?::uuid
                """,
                accuracy,
                run);
    }

    @Test
    void runsAreFilteredByConfigurationAndResult() {
        TestingLab.Project project = lab.project();
        List<String> bsp = submit(project, "one", BSP);
        List<String> local = submit(project, "two", LOCAL);
        measure(bsp.getFirst(), 0.95);
        measure(local.getFirst(), 0.91);
        measure(local.get(1), 0.5);

        assertThat(list(project, "accuracy > 0.9 and synchronization = local-sgd"))
                .containsExactly(local.getFirst());
        assertThat(list(project, "accuracy > 90%"))
                .containsExactlyInAnyOrder(bsp.getFirst(), local.getFirst());
        assertThat(list(project, "batchSize = 16")).hasSize(4);
        assertThat(list(project, "training.batchSize <= 16 and seed = 2 and period = 5"))
                .hasSize(1);
        assertThat(list(project, "method in (bsp, async) and not (seed in (1))")).hasSize(2);
        assertThat(list(project, "learningRate = 0.1 and optimizer = sgd")).hasSize(8);
        assertThat(list(project, "keepModel = last and weightDecay = 0 and checkpoint.every >= 0"))
                .as("values that configurations leave out at their default")
                .hasSize(8);
        assertThat(list(project, "workers.selector.room = two")).hasSize(4);
        assertThat(list(project, "experiment ~ ON")).containsExactlyInAnyOrderElementsOf(bsp);
    }

    @Test
    void comparisonWithAMissingValueIsFalse() {
        TestingLab.Project project = lab.project();
        List<String> runs = submit(project, "one", BSP);
        measure(runs.getFirst(), 0.9);

        assertThat(list(project, "accuracy <= 1")).containsExactly(runs.getFirst());
        assertThat(list(project, "not accuracy <= 1")).hasSize(3);
        assertThat(list(project, "accuracy != 0.9")).hasSize(3);
        assertThat(list(project, "accuracy is missing")).hasSize(3);
        assertThat(list(project, "accuracy is present")).containsExactly(runs.getFirst());
        assertThat(list(project, "period = 5 or not (period = 5)")).hasSize(4);
    }

    @Test
    void runsAreFilteredByAttributes() {
        TestingLab.Project project = lab.project();
        List<String> runs = submit(project, "one", BSP);
        String run = runs.getFirst();
        project.member()
                .patch("/runs/" + run, Map.of("tags", List.of("base line", "paper")))
                .expect(200);
        project.member().post("/runs/" + run + "/cancel").expect(200);
        String name =
                project.member().get("/projects/" + project.id()).body().path("name").stringValue();

        assertThat(list(project, "state = cancelled")).containsExactly(run);
        assertThat(list(project, "state in (QUEUED, RUNNING)")).hasSize(3).doesNotContain(run);
        assertThat(list(project, "tag = \"base line\"")).containsExactly(run);
        assertThat(list(project, "tag ~ PAP and tag is present")).containsExactly(run);
        assertThat(list(project, "tag != paper")).hasSize(3);
        assertThat(list(project, "id = " + run)).containsExactly(run);
        assertThat(list(project, "project = '" + name + "'")).hasSize(4);
        assertThat(list(project, "queuedAt > now-1h and queuedAt < 2999-01-01")).hasSize(4);
        assertThat(list(project, "endedAt is present and priority = 0")).containsExactly(run);
        assertThat(list(project, "duration is present")).isEmpty();
    }

    @Test
    void filterAddsToTheOtherParametersAndToTheRights() {
        TestingLab.Project project = lab.project();
        TestingLab.Project other = lab.project();
        submit(project, "one", BSP);
        submit(other, "one", BSP);

        assertThat(list(project, "seed = 1 or seed = 2")).hasSize(4);
        assertThat(list(project, "seed = 1&name=two")).isEmpty();
        assertThat(list(project, "seed = 1&state=QUEUED")).hasSize(2);
        assertThat(list(project, "")).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "experiment = \"' or true --\"",
                "experiment = \"x') or (true\"",
                "\"workers.selector.x' or true or '\" is present or experiment = \":limit\"",
                "tag = \"') or true or ('\""
            })
    void textsAreNoSql(String filter) {
        TestingLab.Project project = lab.project();
        submit(project, "one", BSP);

        Answer answer = project.member().get("/runs?filter=" + filter);

        if (answer.status() != 400) {
            assertThat(answer.expect(200).path("items").isEmpty()).isTrue();
        }
    }

    @Test
    void errorsOfFiltersNameTheirPlaces() {
        TestingLab.Project project = lab.project();

        Answer answer = project.member().get("/runs?filter=acuracy > 0.9 and sate = RUNNING");

        answer.problem(400, "invalid-request");
        assertThat(answer.violations())
                .containsExactly(
                        "?filter character 1, 'acuracy': is not a field; did you mean accuracy?",
                        "?filter character 19, 'sate': is not a field; did you mean state?");
        project.member().get("/runs?filter=" + "(".repeat(500)).problem(400, "invalid-request");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 500})
    void runsAreSortedByAnyFieldPageByPage(int limit) {
        TestingLab.Project project = lab.project();
        List<String> bsp = submit(project, "one", BSP);
        List<String> local = submit(project, "two", LOCAL);

        List<JsonNode> byBatch = walk(project, "sort=-batchSize", limit);
        List<JsonNode> byMethod = walk(project, "sort=synchronization", limit);
        List<JsonNode> byPeriod = walk(project, "sort=-period", limit);

        assertThat(ids(byBatch)).hasSize(8).doesNotHaveDuplicates();
        assertThat(list(project, "batchSize = 32"))
                .containsExactlyInAnyOrderElementsOf(ids(byBatch.subList(0, 4)));
        assertThat(ids(byMethod.subList(0, 4))).containsExactlyInAnyOrderElementsOf(bsp);
        assertThat(ids(byPeriod.subList(0, 4)))
                .as("runs without a value come last")
                .containsExactlyInAnyOrderElementsOf(local);
        assertThat(ids(byPeriod)).hasSize(8).doesNotHaveDuplicates();
        project.member().get("/runs?sort=tag").problem(400, "invalid-request");
        project.member().get("/runs?sort=id").problem(400, "invalid-request");
    }

    private static List<JsonNode> walk(TestingLab.Project project, String query, int limit) {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    project.member()
                            .get("/runs?limit=%d&cursor=%s&%s".formatted(limit, cursor, query))
                            .expect(200);
            all.addAll(page.path("items").values());
            cursor = page.path("next").isNull() ? "" : page.path("next").stringValue();
        } while (!cursor.isEmpty());
        return all;
    }

    /** The table of filters has for each run what the function makes of it now. */
    @Test
    void rowsOfFiltersFollowTheirRuns() {
        TestingLab.Project project = lab.project();
        List<String> runs = submit(project, "one", BSP);
        measure(runs.getFirst(), 0.9);
        project.member().patch("/runs/" + runs.get(1), Map.of("priority", 7)).expect(200);
        project.member().post("/runs/" + runs.get(2) + "/cancel").expect(200);
        project.member().post("/runs/" + runs.get(3) + "/cancel").expect(200);
        project.member().delete("/runs/" + runs.get(3)).expect(204);

        assertThat(
                        jdbc.queryForObject(
                                """
                                select count(*) from run left join run_search on run_search.run_id = run.id
                                where run.project_id = ?::uuid
                                  and run_search is distinct from run_search_of(run)
                                """,
                                Long.class,
                                project.id()))
                .isZero();
        assertThat(list(project, "priority = 7")).containsExactly(runs.get(1));
    }

    /** Each field has a column, or an expression over one, of a type that its literals fit. */
    @Test
    void fieldsAreColumnsOfTheTable() {
        for (FilterField field : RunFields.CATALOG.all()) {
            assertThat(
                            jdbc.queryForList(
                                    "select %s from run_search limit 1"
                                            .formatted(field.expression())))
                    .as(field.name())
                    .hasSizeLessThanOrEqualTo(1);
            String value =
                    switch (field.type()) {
                        case TEXT, TAGS -> "x";
                        case CHOICE -> field.values().getFirst();
                        case ID -> "00000000-0000-0000-0000-000000000000";
                        case BOOLEAN -> "true";
                        case NUMBER -> "1.5";
                        case DURATION -> "1m";
                        case TIME -> "now";
                    };
            String operator = field.type().operators().getFirst().symbol();
            String sort = RunOrder.isSortable(field) ? "-" + field.name() : "";
            lab.administrator()
                    .get(
                            "/runs?limit=1&sort=%s&filter=%s %s %s"
                                    .formatted(sort, field.name(), operator, value))
                    .expect(200);
        }
    }

    /** A new single value of a configuration needs a column in a migration. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"partitioning\": {\"kind\": \"functional\"}, \"trace\": true",
                "\"synchronization\": {\"kind\": \"stale-synchronous\", \"bound\": 3}, \"topology\": {\"kind\": \"parameter-server\"}, \"compression\": {\"kind\": \"top-k\", \"fraction\": 0.1}",
                "\"execution\": {\"kind\": \"virtual\", \"samplesPerSecond\": 100}, \"evaluation\": {\"target\": {\"accuracy\": 0.9}}"
            })
    void everyValueOfAConfigurationIsAField(String more) {
        JsonNode configuration =
                lab.administrator()
                        .post(
                                "/experiments/validate",
                                """
                                {"apiVersion": "equipoise/v1", "name": "any", "dataset": {"name": "mnist"},
                                 "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
                                 "workers": {"replicas": 4}, %s}
                                """
                                        .formatted(more))
                        .expect(200)
                        .at("/configurations/0");
        Set<String> known =
                lab.administrator()
                        .get("/runs/fields")
                        .expect(200)
                        .path("items")
                        .valueStream()
                        .map(it -> it.path("name").stringValue())
                        .collect(Collectors.toSet());

        Set<String> found = new TreeSet<>();
        collect("", configuration, found);
        found.removeAll(Set.of("apiVersion", "name"));

        assertThat(found).isNotEmpty().allSatisfy(it -> assertThat(known).contains(it));
    }

    private static void collect(String prefix, JsonNode node, Set<String> paths) {
        node.properties()
                .forEach(field -> {
                    String path = prefix + field.getKey();
                    if (field.getValue().isObject()) {
                        collect(path + ".", field.getValue(), paths);
                    } else if (field.getValue().isValueNode() && !field.getValue().isNull()) {
                        paths.add(path);
                    }
                });
    }

    @Test
    void fieldsAreDescribed() {
        List<JsonNode> fields =
                List.copyOf(
                        lab.administrator().get("/runs/fields").expect(200).path("items").values());

        assertThat(fields)
                .anySatisfy(it ->
                        assertThat(it.toString())
                                .isEqualTo(
                                        "{\"name\":\"testAccuracy\",\"aliases\":[\"accuracy\"],\"type\":\"number\",\"origin\":\"result\",\"values\":[],\"operators\":[\"=\",\"!=\",\"<\",\"<=\",\">\",\">=\"],\"sortable\":true}"))
                .anySatisfy(it -> {
                    assertThat(it.path("name").stringValue()).isEqualTo("synchronization.kind");
                    assertThat(it.path("origin").stringValue()).isEqualTo("configuration");
                    assertThat(it.path("values").valueStream().map(JsonNode::stringValue))
                            .contains("bsp", "async", "ad-psgd");
                    assertThat(it.path("aliases").valueStream().map(JsonNode::stringValue))
                            .contains("method", "synchronization");
                });
    }
}
