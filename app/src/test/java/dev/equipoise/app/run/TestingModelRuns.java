package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingModels;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs of one replica, in training or completed, whose models a test uploads. */
final class TestingModelRuns {

    static final ModelScore LAST = new ModelScore(2, 0.75, 0.5);

    private final TestingLab lab;
    private final TestingLab.Project project;

    TestingModelRuns(TestingLab lab, TestingLab.Project project) {
        this.lab = lab;
        this.project = project;
    }

    /** A run of one replica and 2 epochs. */
    static String definition(String more) {
        return definition("{\"dense\": 10}", more);
    }

    static String definition(String layers, String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"layers": ["flatten", %s]},
         "training": {"epochs": 2, "batchSize": 10}, "workers": {"replicas": 1}, "restarts": 0%s}
        """
                .formatted(layers, more);
    }

    static String beginningWith(Object run) {
        return ", \"initial\": {\"run\": \"%s\"}".formatted(run);
    }

    static AgentEvent epoch(int epoch) {
        return TestingEpochs.epoch(
                epoch,
                3000,
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new EpochFinished.TestScore(0.75, 0.5),
                "after " + epoch);
    }

    /** A run in training, with its only agent. */
    record Started(String run, TestingAgent agent, Assignment.Training part) {

        void tell(AgentEvent event) {
            agent.tell(part, event);
        }

        byte[] file(float first) {
            return TestingModels.file(part.plan().network(), first);
        }

        Answer upload(ModelScore score, byte[] file) {
            return TestingModels.upload(agent.client(), part.id(), 0, score, file);
        }

        void finish() {
            tell(epoch(1));
            tell(epoch(2));
            tell(new Outcome.Finished());
        }
    }

    /** Registers an agent of a protocol version; null if it predates that field. */
    TestingAgent join(@Nullable ProtocolVersion protocol) {
        Registration plain = TestingLab.registration("agent");
        TestingAgent agent =
                lab.join(
                        new Registration(
                                plain.name(),
                                plain.host(),
                                plain.clusterAddress(),
                                plain.labels(),
                                plain.credential(),
                                null,
                                null,
                                protocol,
                                null));
        TestingLab.beat(List.of(agent));
        return agent;
    }

    Started start(String definition) {
        TestingAgent agent = join(ProtocolVersion.OWN);
        String run = project.submitOne(definition);
        Assignment.Training part = agent.training();
        var started = new Started(run, agent, part);
        started.tell(new RunReport.ReplicaReady(0, 0.002, "start"));
        return started;
    }

    /** Returns a completed run with a model. */
    Started completed() {
        return completed("");
    }

    /** Returns a completed run with a model, whose definition has more fields. */
    Started completed(String more) {
        Started started = start(definition(more));
        started.upload(LAST, started.file(0.5f)).expect(204);
        started.finish();
        assertState(started.run(), "COMPLETED");
        return started;
    }

    void assertState(String run, String state) {
        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo(state));
    }

    Answer model(String run) {
        return project.member().get("/runs/" + run + "/model");
    }
}
