package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

@RunningService
class LogIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "log", "dataset": {"name": "mnist", "limit": 1000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}, "restarts": 0}
            """;

    private final TestingLab lab;
    private final TestingLab.Project project;

    LogIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Runs a run that fails after a note. */
    private String failed() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(DEFINITION);
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.Noted(0, "has its data, after 0.100 s"));
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        agent.tell(part, new RunReport.RoundReached(0, 1, 50));
        agent.tell(part, new Outcome.Failed(FailureCause.WORKER, "broken", "it\nbroke"));
        return run;
    }

    @Test
    void logIsReadAsLines() {
        String run = failed();

        TestingClient.Text text = project.member().text("/runs/" + run + "/log");

        assertThat(text.type()).isEqualTo("text/plain;charset=UTF-8");
        assertThat(text.body()).endsWith("\n");
        List<String> lines = text.body().lines().toList();
        assertThat(lines)
                .allSatisfy(line ->
                        assertThat(line)
                                .matches(
                                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z (service|rank 0 \\(.+\\)) .+"));
        assertThat(lines.stream().map(line -> line.substring("2026-01-01T00:00:00.000Z ".length())))
                .filteredOn(line -> !line.contains(" waits ") && !line.contains(" should take "))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("service is QUEUED"),
                        line -> assertThat(line).isEqualTo("service is PLACED"),
                        line -> assertThat(line).startsWith("service generation 1: rank 0 on "),
                        line -> assertThat(line).isEqualTo("service is PREPARING"),
                        line ->
                                assertThat(line)
                                        .matches("rank 0 \\(.+\\) has its data, after 0.100 s"),
                        line -> assertThat(line).isEqualTo("service is RUNNING"),
                        line ->
                                assertThat(line)
                                        .matches(
                                                "service fails with a worker failure \\(broken\\): rank 0 on .+: it broke"),
                        line -> assertThat(line).isEqualTo("service is FAILED"));
    }

    @Test
    void logIsReadPageByPage() {
        String path = "/runs/" + failed() + "/log";
        List<String> lines = project.member().text(path).body().lines().toList();

        JsonNode first = json(path + "?limit=3");
        assertThat(first.path("items")).hasSize(3);
        String cursor = first.path("next").stringValue();
        JsonNode rest = json(path + "?cursor=" + cursor);
        assertThat(rest.path("items")).hasSize(lines.size() - 3);
        assertThat(rest.path("next").isNull()).isTrue();
        assertThat(lines.getLast())
                .endsWith(rest.path("items").path(lines.size() - 4).path("text").stringValue());
        assertThat(project.member().text(path + "?limit=2&cursor=" + cursor).body().lines())
                .containsExactlyElementsOf(lines.subList(3, 5));
        project.member().get(path + "?cursor=x").problem(400, "invalid-request");
        project.member().get(path + "?limit=501").problem(400, "invalid-request");
    }

    @Test
    void logIsReadNewestFirst() {
        String path = "/runs/" + failed() + "/log";
        List<String> lines = project.member().text(path).body().lines().toList().reversed();

        assertThat(project.member().text(path + "?sort=-at").body().lines())
                .containsExactlyElementsOf(lines);
        String cursor = json(path + "?sort=-at&limit=3").path("next").stringValue();
        assertThat(
                        project.member()
                                .text(path + "?sort=-at&limit=2&cursor=" + cursor)
                                .body()
                                .lines())
                .containsExactlyElementsOf(lines.subList(3, 5));
        project.member().get(path + "?sort=text").problem(400, "invalid-request");
    }

    private JsonNode json(String path) {
        return project.member()
                .call(HttpMethod.GET, path, null, null, MediaType.APPLICATION_JSON)
                .expect(200);
    }

    @Test
    void firstNotesAreKeptAndSomeAreReservedForTheService() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(DEFINITION);
        Assignment.Training part = agent.training();
        AgentEvent[] notes =
                Collections.nCopies(350, new RunReport.Noted(0, "says this again and again"))
                        .toArray(AgentEvent[]::new);

        for (int report = 0; report < 3; report++) {
            agent.tell(part, notes);
        }

        assertThat(project.member().text("/runs/" + run + "/log").body().lines())
                .filteredOn(line -> line.endsWith("again and again"))
                .hasSize(RunReport.Noted.MAX_OF_A_RUN - 100);
    }

    @Test
    void logOfAnotherProjectIsNotFound() {
        String path = "/runs/" + project.submitOne(DEFINITION) + "/log";

        lab.project().member().get(path).problem(404, "not-found");
        lab.nobody().get(path).problem(401, "unauthenticated");
        lab.member(project, "viewer").get(path).expect(200);
    }
}
