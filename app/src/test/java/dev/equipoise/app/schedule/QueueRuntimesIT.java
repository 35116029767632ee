package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Tests runtime estimates of runs without runtime history. */
@RunningService
class QueueRuntimesIT {

    private final TestingLab lab;
    private final TestingLab.Project project;

    QueueRuntimesIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String definition(int replicas, int samples, int epochs) {
        return """
        {"apiVersion": "equipoise/v1", "name": "estimated", "dataset": {"name": "mnist", "limit": %d},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": %d, "batchSize": 10},
         "workers": {"replicas": %d}}
        """
                .formatted(samples, epochs, replicas);
    }

    private void profile(TestingAgent agent) {
        lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", Map.of("network", "mnist-cnn"))
                .expect(202);
        agent.measure(agent.profiling(), 0.01);
    }

    private void assertState(String run, String state) {
        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo(state));
    }

    /** The predicted start of a run, as soon as it is known. */
    private Instant start(String run) {
        JsonNode start =
                await().until(() -> project.run(run).path("predictedStart"), JsonNode::isString);
        return Instant.parse(start.stringValue());
    }

    /** Makes two of three workers busy for about 26 minutes and queues a run that needs three. */
    private String startAndReserve() {
        List<TestingAgent> agents = lab.agents(3);
        agents.forEach(this::profile);
        String running = project.submitOne(definition(2, 3000, 100));
        for (TestingAgent agent : agents.subList(0, 2)) {
            Assignment.Training part = agent.training();
            agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        }
        project.prediction(running);
        String large = project.submitOne(definition(3, 3001, 1));
        await().untilAsserted(() ->
                assertThat(project.run(large).at("/waiting/code").stringValue())
                        .isEqualTo("workers-busy"));
        return large;
    }

    @Test
    void timeModelDecidesWhichRunsEndBeforeTheReservation() {
        String large = startAndReserve();
        String tooLong = project.submitOne(definition(1, 3002, 1000));
        await().untilAsserted(() ->
                assertThat(project.run(tooLong).at("/waiting/code").stringValue())
                        .isEqualTo("workers-kept"));
        String brief = project.submitOne(definition(1, 61, 1));

        assertState(brief, "PLACED");
        assertState(large, "QUEUED");
        assertState(tooLong, "QUEUED");
    }

    @Test
    void startBehindARunWithEstimateIsPredicted() {
        String large = startAndReserve();
        String last = project.submitOne(definition(3, 3003, 1));

        assertThat(start(last))
                .as("later by an epoch of 1000 samples on each of three workers")
                .isAfter(start(large));
    }

    @Test
    void withoutProfilesStartIsUnknown() {
        String large = startAndReserveUnprofiled();

        String brief = project.submitOne(definition(1, 61, 1));

        await().untilAsserted(() ->
                assertThat(project.run(brief).at("/waiting/code").stringValue())
                        .isEqualTo("workers-kept"));
        assertThat(project.run(large).path("predictedStart").isNull()).isTrue();
    }

    private String startAndReserveUnprofiled() {
        List<TestingAgent> agents = lab.agents(3);
        String running = project.submitOne(definition(2, 3000, 100));
        agents.subList(0, 2).forEach(TestingAgent::training);
        assertState(running, "PREPARING");
        return project.submitOne(definition(3, 3001, 1));
    }
}
