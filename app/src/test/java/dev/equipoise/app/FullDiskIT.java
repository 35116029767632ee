package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/** Tests that a service whose disk is nearly full takes no new work, and keeps what runs. */
@RunningService
class FullDiskIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "full disk",
             "dataset": {"name": "mnist", "limit": 1000}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 1, "batchSize": 10}, "workers": {"replicas": 1}}
            """;

    private static final long LITTLE = 100 << 20;

    private final TestingLab lab;
    private final TestingDisk disk;

    FullDiskIT(@Autowired TestingLab lab, @Autowired TestingDisk disk) {
        this.lab = lab;
        this.disk = disk;
    }

    @AfterEach
    void clear() {
        disk.empty();
        lab.clear();
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.problem(507, "no-room").path("detail").stringValue())
                .startsWith("The disk of the service has 100 MiB left, and 128 MiB must stay free");
        assertThat(answer.headers().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("30");
    }

    private static void train(TestingAgent agent) {
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0.01, "start"));
        finish(agent, part);
    }

    private static void finish(TestingAgent agent, Assignment.Training part) {
        agent.tell(
                part,
                TestingEpochs.epoch(1, 1000, 1, 1, 1, 3, 1, 1, null, "end"),
                new Outcome.Finished());
    }

    @Test
    void newWorkIsRefusedWhileQueuedAndActiveRunsContinue() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        String experiment = project.define(DEFINITION).path("id").stringValue();
        String submit = "/experiments/" + experiment + "/runs";
        String active = submitted(project, submit);
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0.01, "start"));
        String queued = submitted(project, submit);

        disk.fill(LITTLE);

        assertRefused(project.member().post(submit));
        assertRefused(project.member().post("/runs/" + active + "/rerun"));
        assertRefused(
                project.member()
                        .post(
                                "/projects/" + project.id() + "/bundles",
                                new byte[] {'P', 'K'},
                                MediaType.valueOf("application/zip")));
        agent.beat(List.of(agent)).expect(200);
        finish(agent, part);
        train(agent);
        assertCompleted(project, active);
        assertCompleted(project, queued);
    }

    @Test
    void newWorkIsTakenAgainWhenTheDiskHasSpace() {
        TestingLab.Project project = lab.project();
        String experiment = project.define(DEFINITION).path("id").stringValue();
        String submit = "/experiments/" + experiment + "/runs";
        disk.fill(LITTLE);
        assertRefused(project.member().withKey("full-disk").post(submit));

        disk.empty();

        project.member().withKey("full-disk").post(submit).expect(202);
    }

    private static String submitted(TestingLab.Project project, String path) {
        return project.member().post(path).expect(202).at("/items/0/id").stringValue();
    }

    private static void assertCompleted(TestingLab.Project project, String run) {
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("COMPLETED");
    }
}
