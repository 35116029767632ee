package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.testing.Patience;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/**
 * Tests profiling on three co-located workers beside a queue that is never empty: each run that
 * starts queues another one.
 */
@RunningService
class ProfilingBesideRunsIT {

    private static final String ONE_WORKER =
            """
            {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 60},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
             "workers": {"replicas": 1}}
            """;

    private final TestingLab lab;
    private final TestingLab.Project project;
    private final ExecutorService threads = Executors.newFixedThreadPool(3);
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger completed = new AtomicInteger();
    private final Set<TestingAgent> training = ConcurrentHashMap.newKeySet();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private List<TestingAgent> agents = List.of();
    private String experiment = "";

    ProfilingBesideRunsIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @BeforeEach
    void start() {
        agents = lab.agents(3);
        experiment = project.define(ONE_WORKER).path("id").stringValue();
        for (int run = 0; run < 8; run++) {
            queueAnother();
        }
        agents.forEach(agent -> threads.execute(() -> work(agent)));
        await().until(() -> completed.get() >= 6);
    }

    @AfterEach
    void stop() throws InterruptedException {
        isOver.set(true);
        threads.shutdown();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        lab.clear();
    }

    private void queueAnother() {
        project.member().post("/experiments/" + experiment + "/runs").expect(202);
    }

    private void work(TestingAgent agent) {
        try {
            while (!isOver.get()) {
                agent.beat(agents).expect(200);
                Answer answer = agent.lease(1);
                if (answer.status() == 200) {
                    take(agent, agent.work(answer));
                }
            }
        } catch (RuntimeException | AssertionError failure) {
            violations.add(String.valueOf(failure));
        }
    }

    private void take(TestingAgent agent, Assignment work) {
        switch (work) {
            case Assignment.Training part -> train(agent, part);
            case Assignment.Profiling part -> {
                if (part.peers().size() > 1 && !training.isEmpty()) {
                    violations.add("co-located workers measure while others train");
                }
                agent.measure(part, 0.001);
            }
            default -> violations.add("unexpected assignment: " + work);
        }
    }

    private void train(TestingAgent agent, Assignment.Training part) {
        training.add(agent);
        queueAnother();
        int samples = part.plan().division().shares().get(part.rank());
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        AgentEvent epoch =
                TestingEpochs.epoch(
                        1,
                        samples,
                        1,
                        0,
                        0,
                        1,
                        0,
                        0.5,
                        new EpochFinished.TestScore(0.9, 0.4),
                        "end");
        training.remove(agent);
        agent.tell(part, epoch, new Outcome.Finished());
        completed.incrementAndGet();
    }

    private JsonNode request(TestingAgent agent, Map<String, Object> request) {
        return lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", request)
                .expect(202);
    }

    private void assertComplete(TestingAgent agent) {
        await().untilAsserted(() ->
                assertThat(
                                lab.administrator()
                                        .get("/workers/" + agent.id() + "/profiles")
                                        .expect(200)
                                        .path("items"))
                        .as("%s", violations)
                        .extracting(it -> it.path("state").stringValue())
                        .containsOnly("COMPLETE")
                        .isNotEmpty());
    }

    private void assertRunsComplete() {
        int before = completed.get();
        await().until(() -> completed.get() >= before + 6);
        assertThat(violations).isEmpty();
    }

    @Test
    void profilesOfSingleWorkersAreMeasuredBesideRuns() {
        agents.forEach(agent -> request(agent, Map.of("network", "mnist-cnn")));

        agents.forEach(this::assertComplete);

        assertRunsComplete();
    }

    /** The profile needs all three workers at once, which never happens without reservation. */
    @Test
    void profileOfAllWorkersTogetherIsMeasuredBesideRuns() {
        request(
                agents.getFirst(),
                Map.of(
                        "network",
                        "mnist-cnn",
                        "company",
                        List.of(agents.get(1).id(), agents.get(2).id())));

        agents.forEach(this::assertComplete);

        assertRunsComplete();
    }

    /** The run is queued behind others, and its workers must first be profiled together. */
    @Test
    void runThatNeedsAllProfilesIsPlacedBesideRuns() {
        String run =
                project.submitOne(
                        """
                        {"apiVersion": "equipoise/v1", "name": "large", "dataset": {"name": "mnist", "limit": 3000},
                         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
                         "workers": {"replicas": 3}, "partitioning": "functional"}
                        """);

        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue())
                        .as("%s", violations)
                        .isEqualTo("COMPLETED"));

        agents.forEach(this::assertComplete);
        assertRunsComplete();
    }
}
