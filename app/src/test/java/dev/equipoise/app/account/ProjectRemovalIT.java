package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.LockWaits;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Projects that are deleted, empty or with everything in them. */
@RunningService
class ProjectRemovalIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "removed", "dataset": {"name": "mnist"},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 99}, "seeds": [1, 2]}
            """;

    private final TestingLab lab;
    private final JdbcTemplate jdbc;
    private final JdbcClient database;
    private final TransactionTemplate transaction;

    ProjectRemovalIT(
            @Autowired TestingLab lab,
            @Autowired JdbcTemplate jdbc,
            @Autowired JdbcClient database,
            @Autowired TransactionTemplate transaction) {
        this.lab = lab;
        this.jdbc = jdbc;
        this.database = database;
        this.transaction = transaction;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private String path(TestingLab.Project project) {
        return "/projects/" + project.id();
    }

    private String name(TestingLab.Project project) {
        return lab.administrator().get(path(project)).expect(200).path("name").stringValue();
    }

    @Test
    void ownerDeletesAnEmptyProject() {
        TestingLab.Project project = lab.project();
        TestingClient owner = lab.member(project, "owner");
        lab.member(project, "editor").delete(path(project)).problem(403, "forbidden");
        lab.project().member().delete(path(project)).problem(404, "not-found");

        owner.delete(path(project)).expect(204);

        lab.administrator().get(path(project)).problem(404, "not-found");
        owner.get("/me").problem(401, "unauthenticated");
        JsonNode audited =
                lab.administrator()
                        .get("/audit?project=" + project.id())
                        .expect(200)
                        .at("/items/0");
        assertThat(audited.path("action").stringValue()).isEqualTo("project-removed");
    }

    /** The request waits for the transaction that adds an experiment, and then finds it. */
    @Test
    void projectThatGetsAnExperimentMeanwhileIsNotEmpty() throws Exception {
        TestingLab.Project project = lab.project();
        TestingClient owner = lab.member(project, "owner");
        TestingLab.Project other = lab.project();
        other.define(DEFINITION);
        try (ExecutorService callers = Executors.newSingleThreadExecutor()) {
            Future<Answer> deleted =
                    transaction.execute(_ -> {
                        database.sql(
                                        "update experiment set project_id = :to where project_id = :from")
                                .param("to", UUID.fromString(project.id()))
                                .param("from", UUID.fromString(other.id()))
                                .update();
                        Future<Answer> answer = callers.submit(() -> owner.delete(path(project)));
                        await().until(() -> LockWaits.any(database));
                        return answer;
                    });

            deleted.get().problem(409, "illegal-state");
        }
    }

    @Test
    void projectThatIsNotEmptyNeedsItsNameRepeated() {
        TestingLab.Project project = lab.project();
        project.define(DEFINITION);
        TestingClient owner = lab.member(project, "owner");
        String name = name(project);

        JsonNode refused = owner.delete(path(project)).problem(409, "illegal-state");
        owner.delete(path(project) + "?everything=true").problem(400, "invalid-request");
        owner.delete(path(project) + "?everything=true&name=another")
                .problem(400, "invalid-request");
        owner.delete(path(project) + "?name=" + name).problem(400, "invalid-request");
        assertThat(refused.path("detail").stringValue()).contains("experiments (1)");

        owner.delete(path(project) + "?everything=true&name=" + name).expect(204);

        lab.administrator().get(path(project)).problem(404, "not-found");
    }

    @Test
    void projectWithOpenRunsStays() {
        TestingLab.Project project = lab.project();
        JsonNode run = project.submit(DEFINITION).getFirst();
        String everything = path(project) + "?everything=true&name=" + name(project);

        JsonNode refused = lab.administrator().delete(everything).problem(409, "illegal-state");

        assertThat(refused.path("detail").stringValue())
                .contains("has runs that have not ended (2): cancel them first");
        project.member().get("/runs/" + run.path("id").stringValue()).expect(200);
    }

    @Test
    void everythingOfAProjectIsDeletedWithIt() {
        TestingLab.Project project = lab.project();
        TestingLab.Project other = lab.project();
        other.define(DEFINITION);
        JsonNode run = project.submit(DEFINITION).getFirst();
        String experiment = run.path("experiment").stringValue();
        TestingLab.User user = lab.user();
        lab.administrator()
                .put(path(project) + "/members/" + user.id(), Map.of("role", "viewer"))
                .expect(200);
        project.member()
                .patch("/runs/" + run.path("id").stringValue(), Map.of("notes", "*kept*"))
                .expect(200);
        lab.administrator()
                .post(
                        path(project) + "/webhooks",
                        Map.of(
                                "name",
                                "ends",
                                "url",
                                "https://receiver.invalid/hook",
                                "events",
                                List.of("run.ended")))
                .expect(201);
        project.member()
                .post("/runs/cancel", Map.of("filter", "state = QUEUED", "expectedCount", 2))
                .expect(200);

        lab.administrator()
                .delete(path(project) + "?everything=true&name=" + name(project))
                .expect(204);

        lab.administrator().get("/runs/" + run.path("id").stringValue()).problem(404, "not-found");
        lab.administrator().get("/experiments/" + experiment).problem(404, "not-found");
        user.client().get(path(project)).problem(404, "not-found");
        assertThat(user.client().get("/projects").expect(200).path("items").isEmpty()).isTrue();
        for (String table :
                new String[] {
                    "run",
                    "run_search",
                    "experiment",
                    "membership",
                    "access_token",
                    "usage_charge",
                    "webhook"
                }) {
            assertThat(
                            jdbc.queryForObject(
                                    "select count(*) from %s where project_id = ?".formatted(table),
                                    Long.class,
                                    UUID.fromString(project.id())))
                    .as(table)
                    .isZero();
        }
        lab.administrator().get(path(other)).expect(200);
    }
}
