package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.app.checkpoint.TestingS3Server;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment.Training;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Tests the service with checkpoints in an S3 bucket. */
@RunningService
@DirtiesContext
class BucketIT {

    @TempDir private static Path folder;

    @SuppressWarnings("NullAway.Init") // before the service starts
    private static TestingS3Server server;

    @SuppressWarnings("NullAway.Init") // before the service starts
    private static Path objects;

    private final TestingLab lab;
    private final TestingLab.Project project;

    BucketIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @DynamicPropertySource
    static void bucket(DynamicPropertyRegistry settings) throws IOException {
        server = TestingS3Server.start(folder);
        objects = server.bucket("checkpoints");
        // The token file of the service that other tests share must not be overwritten.
        settings.add(
                "equipoise.account.administrator-token-file",
                () -> folder.resolve("token").toString());
        settings.add("equipoise.checkpoint.storage", () -> "s3");
        settings.add("equipoise.checkpoint.folder", () -> folder.resolve("aside"));
        settings.add("equipoise.checkpoint.s3.endpoint", server::endpoint);
        settings.add("equipoise.checkpoint.s3.bucket", () -> "checkpoints");
        settings.add("equipoise.checkpoint.s3.access-key", () -> TestingS3Server.ACCESS_KEY);
        settings.add("equipoise.checkpoint.s3.secret-key", () -> TestingS3Server.SECRET_KEY);
        settings.add("equipoise.checkpoint.s3.path-style", () -> true);
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static AgentEvent epoch() {
        return TestingEpochs.epoch(
                1,
                1000,
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new EpochFinished.TestScore(0.9, 0.4),
                "after 1");
    }

    private static List<Training> parts(List<TestingAgent> agents) {
        return agents.stream()
                .map(TestingAgent::training)
                .sorted(Comparator.comparingInt(Training::rank))
                .toList();
    }

    @Test
    void restartedRunResumesFromTheBucket() {
        List<TestingAgent> agents = lab.agents(2);
        String run =
                project.submitOne(
                        """
                        {"apiVersion": "equipoise/v1", "name": "run",
                         "dataset": {"name": "mnist", "limit": 2000},
                         "network": {"layers": ["flatten", {"dense": 10}]},
                         "training": {"epochs": 3, "batchSize": 10}, "workers": {"replicas": 2}}
                        """);
        List<Training> before = parts(agents);
        before.forEach(it -> {
            TestingAgent agent = agentOf(agents, it);
            agent.tell(it, new RunReport.ReplicaReady(0, 0.002, "start"));
        });
        before.forEach(it -> {
            TestingAgent agent = agentOf(agents, it);
            agent.tell(it, epoch());
            agent.client()
                    .put(
                            "/assignments/%s/checkpoints/1".formatted(it.id()),
                            TestingCheckpoints.file(it, 1))
                    .expect(204);
        });
        assertThat(objects)
                .isDirectoryContaining("glob:**/" + run + "-1-1-0.checkpoint")
                .isDirectoryContaining("glob:**/" + run + "-1-1-1.checkpoint");
        assertThat(folder.resolve("aside")).isEmptyDirectory();

        agentOf(agents, before.getFirst())
                .tell(
                        before.getFirst(),
                        new Outcome.Failed(FailureCause.WORKER, "broken", "it broke"));
        agents.forEach(agent -> agent.lease(0));
        lab.advance(Duration.ofSeconds(12), agents);

        List<Training> after = parts(agents);
        assertThat(after).allMatch(it -> new Checkpointing(1, 2, 1).equals(it.checkpointing()));
        for (Training it : after) {
            for (int part = 0; part < 2; part++) {
                assertThat(
                                agentOf(agents, it)
                                        .client()
                                        .bytes(
                                                "/assignments/%s/checkpoint/%d"
                                                        .formatted(it.id(), part)))
                        .isEqualTo(TestingCheckpoints.file(before.get(part), 1));
            }
        }
        project.member().post("/runs/" + run + "/cancel").expect(200);
        await().untilAsserted(() -> assertThat(objects).isEmptyDirectory());
    }

    private static TestingAgent agentOf(List<TestingAgent> agents, Training part) {
        return agents.stream()
                .filter(it -> it.id().equals(part.peers().get(part.rank())))
                .findFirst()
                .orElseThrow();
    }
}
