package dev.equipoise.app.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.TestScore;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@RunningService
class ReportedFiguresIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "figures",
             "dataset": {"name": "mnist", "limit": 100}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 1}, "workers": {"replicas": 1}}
            """;

    private final TestingLab lab;

    ReportedFiguresIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static EpochFinished epoch(double accuracy, double seconds, long bytes) {
        return TestingEpochs.epoch(
                1, 100, 1, 1, 1, seconds, bytes, 0.5, new TestScore(accuracy, 0.5), "p");
    }

    @Test
    void impossibleFiguresAreRejectedAndThePossibleOnesStored() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(DEFINITION);
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));

        Answer rejected = agent.report(part, epoch(5, 1.7e308, Long.MAX_VALUE));

        rejected.problem(400, "invalid-request");
        assertThat(rejected.violations())
                .containsExactly(
                        "/events/0/wallSeconds must be from 0.0 to 1.0E30",
                        "/events/0/traffic/gradientBytes must be from 0 to 9007199254740992",
                        "/events/0/test/accuracy must be from 0.0 to 1.0");
        agent.tell(part, epoch(1, 3, 100), new Outcome.Finished());
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(project.run(run).path("epochSeconds").doubleValue()).isEqualTo(3);
    }
}
