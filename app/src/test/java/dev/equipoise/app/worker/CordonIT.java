package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class CordonIT {

    private static final String ONE_REPLICA =
            """
            {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}, "restarts": 0}
            """;

    private final TestingLab lab;
    private final TestingLab.Project project;

    CordonIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private JsonNode tell(TestingAgent agent, String word) {
        return lab.administrator().post("/workers/" + agent.id() + "/" + word).expect(200);
    }

    private JsonNode worker(TestingAgent agent) {
        return lab.administrator().get("/workers/" + agent.id()).expect(200);
    }

    private void assertWaits(String run, String message) {
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/message").stringValue())
                        .isEqualTo(message));
    }

    private void assertPlaced(String run) {
        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo("PLACED"));
    }

    @Test
    void cordonedWorkerGetsNoRunUntilUncordoned() {
        TestingAgent agent = lab.agents(1).getFirst();
        assertThat(tell(agent, "cordon").path("cordon").stringValue()).isEqualTo("CORDONED");
        assertThat(tell(agent, "cordon").path("state").stringValue()).isEqualTo("IDLE");
        String run = project.submitOne(ONE_REPLICA);
        assertWaits(run, "1 workers needed, 0 available, 1 cordoned");
        assertThat(mustLeave(agent)).isFalse();

        assertThat(tell(agent, "uncordon").path("cordon").stringValue()).isEqualTo("OPEN");

        assertPlaced(run);
    }

    @Test
    void cordonKeepsCurrentWork() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(ONE_REPLICA);
        Assignment part = agent.work();

        tell(agent, "cordon");

        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("RUNNING");
    }

    @Test
    void cordonedWorkerIsNotProfiled() {
        TestingAgent agent = lab.agents(1).getFirst();
        tell(agent, "cordon");

        assertThat(
                        lab.administrator()
                                .post(
                                        "/workers/" + agent.id() + "/profiles",
                                        Map.of("network", "mnist-cnn"))
                                .problem(409, "illegal-state")
                                .path("detail")
                                .stringValue())
                .isEqualTo("Worker %s is CORDONED and cannot be profiled", agent.id());
    }

    /** Co-located workers would wait forever for a profile that never begins. */
    @Test
    void cordonCancelsWaitingProfile() {
        TestingAgent agent = lab.agents(1).getFirst();
        String profiles = "/workers/" + agent.id() + "/profiles";
        String run = project.submitOne(ONE_REPLICA);
        Assignment part = agent.work();
        lab.administrator().post(profiles, Map.of("network", "mnist-cnn")).expect(202);

        tell(agent, "cordon");

        assertThat(lab.administrator().get(profiles).expect(200).at("/items/0/state").stringValue())
                .isEqualTo("CANCELLED");
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("RUNNING");
    }

    @Test
    void drainedWorkerLeavesAfterItsWork() {
        TestingAgent agent = lab.agents(1).getFirst();
        project.submitOne(ONE_REPLICA);
        Assignment part = agent.work();

        assertThat(tell(agent, "drain").path("cordon").stringValue()).isEqualTo("DRAINED");
        assertThat(mustLeave(agent)).isFalse();
        agent.tell(part, new Outcome.Failed(FailureCause.USER, "broken", "it broke"));
        assertThat(mustLeave(agent)).isTrue();

        agent.client().delete("/agents/" + agent.id()).expect(204);
        assertThat(worker(agent).path("state").stringValue()).isEqualTo("LEFT");
        lab.administrator()
                .post("/workers/" + agent.id() + "/uncordon")
                .problem(409, "illegal-state");
    }

    @Test
    void uncordonEndsDrain() {
        TestingAgent agent = lab.agents(1).getFirst();
        project.submitOne(ONE_REPLICA);
        Assignment part = agent.work();
        tell(agent, "drain");

        tell(agent, "uncordon");
        agent.tell(part, new Outcome.Failed(FailureCause.USER, "broken", "it broke"));

        assertThat(mustLeave(agent)).isFalse();
        assertPlaced(project.submitOne(ONE_REPLICA));
    }

    @Test
    void onlyAdministratorsMayCordon() {
        TestingAgent agent = lab.agents(1).getFirst();
        for (String word : List.of("cordon", "uncordon", "drain")) {
            project.member().post("/workers/" + agent.id() + "/" + word).problem(403, "forbidden");
            agent.client().post("/workers/" + agent.id() + "/" + word).problem(403, "forbidden");
        }
        lab.administrator()
                .post("/workers/00000000-0000-0000-0000-000000000000/cordon")
                .problem(404, "not-found");
    }

    /** Whether the heartbeat reply asks the worker to leave. */
    private static boolean mustLeave(TestingAgent agent) {
        return agent.beat(List.of(agent)).expect(200).path("leave").booleanValue();
    }
}
