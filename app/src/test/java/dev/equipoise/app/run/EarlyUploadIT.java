package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.app.checkpoint.TestingModels;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Uploads of short trainings, which overtake the reports that the ranks are ready. */
@RunningService
class EarlyUploadIT {

    private static final AgentEvent READY = new RunReport.ReplicaReady(0, 0.002, "start");

    private final TestingLab lab;
    private final TestingLab.Project project;

    EarlyUploadIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** A run of two replicas and 2 epochs. */
    private static String definition(String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 2000},
         "network": {"layers": ["flatten", {"dense": 10}]},
         "training": {"epochs": 2, "batchSize": 10}, "workers": {"replicas": 2}, "restarts": 5%s}
        """
                .formatted(more);
    }

    private static AgentEvent epoch(int epoch) {
        return TestingEpochs.epoch(
                epoch,
                1000,
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new EpochFinished.TestScore(0.75, 0.5),
                "after " + epoch);
    }

    private record Part(TestingAgent agent, Assignment.Training assignment) {

        void tell(AgentEvent... events) {
            agent.tell(assignment, events);
        }
    }

    /** Starts a run, and returns its ranks, none of which has reported anything. */
    private List<Part> begin(String definition) {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition);
        List<Part> parts = agents.stream().map(agent -> new Part(agent, agent.training())).toList();
        assertState(run, "PREPARING");
        return parts;
    }

    private void assertState(String run, String state) {
        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo(state));
    }

    @Test
    void modelIsStoredBeforeTheRanksAreReady() {
        List<Part> parts = begin(definition(""));
        parts.getLast().tell(READY);

        Part first = parts.getFirst();
        TestingModels.upload(
                        first.agent().client(),
                        first.assignment().id(),
                        first.assignment().rank(),
                        new ModelScore(2, 0.75, 0.5),
                        TestingModels.file(first.assignment().plan().network(), 0.5f))
                .expect(204);

        first.tell(READY);
        parts.forEach(it -> it.tell(epoch(1), epoch(2), new Outcome.Finished()));
        String run = first.assignment().run().toString();
        assertState(run, "COMPLETED");
        assertThat(project.run(run).at("/model/epoch").intValue()).isEqualTo(2);
    }

    @Test
    void checkpointIsStoredBeforeTheRanksAreReady() {
        List<Part> parts = begin(definition(", \"checkpoint\": {\"every\": 1}"));

        for (Part part : parts) {
            part.agent()
                    .client()
                    .put(
                            "/assignments/%s/checkpoints/1".formatted(part.assignment().id()),
                            TestingCheckpoints.file(part.assignment(), 1))
                    .expect(204);
        }

        parts.forEach(it -> it.tell(READY));
        parts.forEach(it -> it.tell(epoch(1)));
        JsonNode kept =
                project.member()
                        .get("/runs/%s/checkpoints".formatted(parts.getFirst().assignment().run()))
                        .expect(200);
        assertThat(kept.path("items"))
                .extracting(it -> it.path("epoch").intValue())
                .containsExactly(1);
    }
}
