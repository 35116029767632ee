package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.dispatch.Usage;
import dev.equipoise.app.dispatch.UsageCharge;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@RunningService
class FairShareIT {

    private final TestingLab lab;
    private final JdbcClient database;
    private final Usage usage;
    private final TestingLab.Project project;

    FairShareIT(@Autowired TestingLab lab, @Autowired JdbcClient database, @Autowired Usage usage) {
        this.lab = lab;
        this.database = database;
        this.usage = usage;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String definition(int priority) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
         "workers": {"replicas": 1}, "priority": %d, "restarts": 0}
        """
                .formatted(priority);
    }

    private static void breakDown(TestingAgent agent, Assignment part) {
        agent.tell(part, new Outcome.Failed(FailureCause.USER, "broken", "it broke"));
    }

    private static String runOf(Assignment part) {
        return ((Assignment.Training) part).run().toString();
    }

    private Answer changePriority(String run, String body) {
        return project.member()
                .call(
                        HttpMethod.PATCH,
                        "/runs/" + run,
                        body,
                        MediaType.parseMediaType("application/merge-patch+json"));
    }

    @Test
    void runOfHighestPriorityGoesFirst() {
        TestingAgent agent = lab.agents(1).getFirst();
        project.submitOne(definition(0));
        Assignment first = agent.work();
        project.submitOne(definition(-5));
        String urgent = project.submitOne(definition(5));
        String raised = project.submitOne(definition(0));
        assertThat(project.run(urgent).path("priority").intValue()).isEqualTo(5);

        assertThat(
                        changePriority(raised, "{\"priority\": 6}")
                                .expect(200)
                                .path("priority")
                                .intValue())
                .isEqualTo(6);

        breakDown(agent, first);
        Assignment second = agent.work();
        assertThat(runOf(second)).isEqualTo(raised);
        breakDown(agent, second);
        assertThat(runOf(agent.work())).isEqualTo(urgent);
    }

    @Test
    void projectWithoutUsageGoesFirst() {
        TestingAgent agent = lab.agents(1).getFirst();
        project.submitOne(definition(0));
        Assignment first = agent.work();
        project.submitOne(definition(100));
        String others = lab.project().submitOne(definition(0));
        lab.advance(Duration.ofMinutes(1), List.of(agent));

        breakDown(agent, first);

        assertThat(runOf(agent.work())).isEqualTo(others);
    }

    @Test
    void usageIsChargedOnceAndHalvesInADay() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(0).replace("\"replicas\": 1", "\"replicas\": 2"));
        List<Assignment> parts = agents.stream().map(TestingAgent::work).toList();
        lab.advance(Duration.ofMinutes(1), agents);
        breakDown(agents.getFirst(), parts.getFirst());
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("FAILED");

        UUID id = UUID.fromString(project.id());
        assertThat(used(id)).isCloseTo(120, within(0.1));
        assertThat(
                        database.sql("select count(*) from usage_charge where run_id = :run")
                                .param("run", UUID.fromString(run))
                                .query(Integer.class)
                                .single())
                .isEqualTo(1);
        usage.charge(new UsageCharge(UUID.fromString(run), 1, id, 1000, lab.clock().instant()));
        assertThat(used(id)).isCloseTo(120, within(0.1));

        lab.clock().advance(Duration.ofDays(1));
        assertThat(used(id)).isCloseTo(60, within(0.1));
    }

    private double used(UUID id) {
        return usage.byProject(List.of()).getOrDefault(id, 0.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"priority\": 101} | must be less than or equal to 100",
                "{\"priority\": -101} | must be greater than or equal to -100",
                "{\"priority\": 1, \"state\": \"RUNNING\"} | is not a field; the fields here are [notes, priority, tags]",
            })
    void invalidChangeReportsViolatedRule(String body, String rule) {
        String run = project.submitOne(definition(0));
        Answer answer = changePriority(run, body);

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).singleElement().asString().endsWith(rule);
    }

    /** RFC 7396: null deletes, and what a merge patch leaves out stays. */
    @Test
    void nullDeletesPriorityAndTags() {
        String run = project.submitOne(definition(0));
        changePriority(run, "{\"priority\": 7, \"tags\": [\"paper\"]}").expect(200);

        assertThat(changePriority(run, "{}").expect(200).path("priority").intValue()).isEqualTo(7);
        JsonNode untagged = changePriority(run, "{\"tags\": null}").expect(200);
        assertThat(untagged.path("tags")).isEmpty();
        assertThat(untagged.path("priority").intValue()).isEqualTo(7);
        JsonNode usual = changePriority(run, "{\"priority\": null}").expect(200);
        assertThat(usual.path("priority").intValue()).isZero();
    }

    @Test
    void onlyQueuedRunsChangePriority() {
        lab.agents(1);
        String run = project.submitOne(definition(0));
        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo("PLACED"));

        changePriority(run, "{\"priority\": 1}").problem(409, "illegal-state");
        JsonNode problem =
                lab.project()
                        .member()
                        .call(
                                HttpMethod.PATCH,
                                "/runs/" + run,
                                "{\"priority\": 1}",
                                MediaType.APPLICATION_JSON)
                        .problem(404, "not-found");
        assertThat(problem.path("detail").stringValue()).contains(run);
    }

    @Test
    void priorityOutOfRangeIsRejected() {
        Answer answer =
                project.member()
                        .post("/projects/" + project.id() + "/experiments", definition(101));

        answer.problem(400, "invalid-definition");
        assertThat(answer.violations()).containsExactly("/priority must be from -100 to 100");
    }
}
