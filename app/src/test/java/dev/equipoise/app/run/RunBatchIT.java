package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.LockWaits;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Several runs that are canceled or deleted at once. */
@RunningService
class RunBatchIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "batch", "dataset": {"name": "mnist"},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 99}, "seeds": [1, 2, 3]}
            """;

    private final TestingLab lab;
    private final JdbcClient database;
    private final TransactionTemplate transaction;

    RunBatchIT(
            @Autowired TestingLab lab,
            @Autowired JdbcClient database,
            @Autowired TransactionTemplate transaction) {
        this.lab = lab;
        this.database = database;
        this.transaction = transaction;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static List<String> submit(TestingLab.Project project) {
        return project.submit(DEFINITION).stream().map(it -> it.path("id").stringValue()).toList();
    }

    private static void cancel(TestingLab.Project project, String run) {
        project.member().post("/runs/" + run + "/cancel").expect(200);
    }

    private static String state(TestingLab.Project project, String run) {
        return project.run(run).path("state").stringValue();
    }

    /** Returns the codes of the rejections in the order of the answer; {@code done} for changes. */
    private static List<String> outcomes(JsonNode answer) {
        return answer.path("items")
                .valueStream()
                .map(it -> it.path("done").booleanValue() ? "done" : it.path("code").stringValue())
                .toList();
    }

    /** The run loses its tag while the request waits for its row. */
    @Test
    void runThatNoLongerFulfillsTheFilterIsLeftAlone() throws Exception {
        TestingLab.Project project = lab.project();
        String run = submit(project).getFirst();
        project.member().patch("/runs/" + run, Map.of("tags", List.of("old"))).expect(200);
        try (ExecutorService callers = Executors.newSingleThreadExecutor()) {
            Future<Answer> canceled =
                    transaction.execute(_ -> {
                        database.sql("update run set tags = '{}' where id = :run")
                                .param("run", UUID.fromString(run))
                                .update();
                        Future<Answer> answer =
                                callers.submit(() ->
                                        project.member()
                                                .post(
                                                        "/runs/cancel",
                                                        Map.of(
                                                                "filter",
                                                                "tag = old",
                                                                "expectedCount",
                                                                1)));
                        await().until(() -> LockWaits.any(database));
                        return answer;
                    });

            assertThat(outcomes(canceled.get().expect(200))).containsExactly("conflict");
        }
        assertThat(state(project, run)).isEqualTo("QUEUED");
    }

    @Test
    void eachRunIsAnsweredAsByItself() {
        TestingLab.Project project = lab.project();
        List<String> runs = submit(project);
        String foreign = submit(lab.project()).getFirst();
        String unknown = UUID.randomUUID().toString();
        cancel(project, runs.get(1));

        JsonNode canceled =
                project.member()
                        .post(
                                "/runs/cancel",
                                Map.of(
                                        "ids",
                                        List.of(
                                                runs.get(0),
                                                runs.get(1),
                                                foreign,
                                                unknown,
                                                runs.get(0))))
                        .expect(200);
        JsonNode deleted =
                project.member()
                        .post("/runs/delete", Map.of("ids", List.of(runs.get(2), runs.get(0))))
                        .expect(200);

        assertThat(outcomes(canceled))
                .containsExactly("done", "illegal-state", "not-found", "not-found");
        assertThat(canceled.path("done").intValue()).isEqualTo(1);
        assertThat(canceled.at("/items/1/detail").stringValue()).contains("CANCELLED");
        assertThat(outcomes(deleted)).containsExactly("illegal-state", "done");
        assertThat(state(project, runs.get(2))).isEqualTo("QUEUED");
        project.member().get("/runs/" + runs.get(0)).problem(404, "not-found");
        lab.administrator().get("/runs/" + foreign).expect(200);
    }

    @Test
    void viewersChangeNoRunAndChangesAreAudited() {
        TestingLab.Project project = lab.project();
        List<String> runs = submit(project);
        Map<String, Object> all = Map.of("ids", runs);

        JsonNode rejected = lab.member(project, "viewer").post("/runs/cancel", all).expect(200);
        JsonNode canceled = lab.member(project, "editor").post("/runs/cancel", all).expect(200);

        assertThat(outcomes(rejected)).containsOnly("forbidden");
        assertThat(canceled.path("done").intValue()).isEqualTo(3);
        assertThat(
                        lab.administrator()
                                .get("/audit?project=" + project.id())
                                .expect(200)
                                .path("items")
                                .valueStream()
                                .filter(it ->
                                        it.path("action").stringValue().equals("run-cancelled")))
                .hasSize(3);
    }

    @Test
    void filterChangesOnlyAsManyRunsAsExpected() {
        TestingLab.Project project = lab.project();
        List<String> runs = submit(project);
        TestingClient member = project.member();

        member.post("/runs/cancel", Map.of("filter", "seed <= 2", "expectedCount", 1))
                .problem(412, "precondition-failed");
        assertThat(runs).allSatisfy(it -> assertThat(state(project, it)).isEqualTo("QUEUED"));

        JsonNode canceled =
                member.post("/runs/cancel", Map.of("filter", "seed <= 2", "expectedCount", 2))
                        .expect(200);
        JsonNode deleted =
                member.post(
                                "/runs/delete",
                                Map.of("filter", "state = CANCELLED", "expectedCount", 2))
                        .expect(200);

        assertThat(outcomes(canceled)).containsExactly("done", "done");
        assertThat(outcomes(deleted)).containsExactly("done", "done");
        assertThat(member.get("/runs").expect(200).path("items").size()).isEqualTo(1);
        assertThat(
                        outcomes(
                                member.post(
                                                "/runs/cancel",
                                                Map.of("filter", "seed = 1", "expectedCount", 0))
                                        .expect(200)))
                .isEmpty();
    }

    /** With a key the request is one transaction, which a rejected run must not end. */
    @Test
    void requestWithAKeyKeepsItsChangesBesideRejections() {
        TestingLab.Project project = lab.project();
        List<String> runs = submit(project);
        cancel(project, runs.get(1));
        TestingClient keyed = lab.member(project, "editor").withKey(UUID.randomUUID().toString());
        Map<String, Object> body =
                Map.of("ids", List.of(runs.get(0), runs.get(1), UUID.randomUUID().toString()));

        JsonNode first = keyed.post("/runs/cancel", body).expect(200);
        Answer again = keyed.post("/runs/cancel", body);

        assertThat(outcomes(first)).containsExactly("done", "illegal-state", "not-found");
        assertThat(state(project, runs.get(0))).isEqualTo("CANCELLED");
        assertThat(again.expect(200)).isEqualTo(first);
        assertThat(again.headers().getFirst("Idempotency-Replayed")).isEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|must have either ids or a filter",
                "{\"ids\": [], \"filter\": \"seed = 1\", \"expectedCount\": 1}|/ids",
                "{\"filter\": \"seed = 1\"}|/expectedCount must be the number of runs",
                "{\"filter\": \" \", \"expectedCount\": 1}|/filter must not be blank",
                "{\"filter\": \"sede = 1\", \"expectedCount\": 1}|/filter character 1",
                "{\"filter\": \"seed = 1\", \"expectedCount\": 1001}|/expectedCount",
                "{\"ids\": [null]}|/ids"
            })
    void selectionIsIdsOrAFilterWithACount(String body, String violation) {
        Answer answer = lab.project().member().post("/runs/delete", body);

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).anyMatch(it -> it.contains(violation));
    }

    @Test
    void numberOfRunsIsBounded() {
        List<String> ids = Collections.nCopies(1001, UUID.randomUUID().toString());

        lab.project()
                .member()
                .post("/runs/cancel", Map.of("ids", ids))
                .problem(400, "invalid-request");
    }
}
