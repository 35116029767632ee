package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class QueueIT {

    private final TestingLab lab;
    private final TestingLab.Project project;

    QueueIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** A definition unlike those of other test classes, so that it has no runtime history. */
    private static String definition(int replicas, int... seeds) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 60},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 12},
         "workers": {"replicas": %d}, "restarts": 0, "seeds": %s}
        """
                .formatted(replicas, Arrays.toString(seeds));
    }

    private void limit(String quota, int value) {
        lab.administrator()
                .put("/projects/" + project.id() + "/quota", Map.of(quota, value))
                .expect(200);
    }

    private void assertWaits(String run, String code, String message) {
        await().untilAsserted(() -> {
            JsonNode waiting = project.run(run).path("waiting");
            assertThat(waiting.path("code").stringValue("")).isEqualTo(code);
            assertThat(waiting.path("message").stringValue("")).startsWith(message);
        });
    }

    private void assertState(String run, String state) {
        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo(state));
    }

    private static void breakDown(TestingAgent agent, Assignment part) {
        agent.tell(part, new Outcome.Failed(FailureCause.USER, "broken", "it broke"));
    }

    private static void complete(TestingAgent agent, Assignment.Training part) {
        agent.tell(
                part,
                new RunReport.ReplicaReady(0, 0, "start"),
                TestingEpochs.epoch(
                        1, 60, 1, 0, 0, 1, 0, 0.5, new EpochFinished.TestScore(0.9, 0.4), "end"),
                new Outcome.Finished());
    }

    @Test
    void queuedRunReportsPositionAndPredictedStart() {
        TestingAgent agent = lab.agents(1).getFirst();
        List<JsonNode> runs = project.submit(definition(1, 1, 2, 3, 4));
        Assignment.Training first = agent.training();
        String next = runs.get(1).path("id").stringValue();
        String last = runs.get(3).path("id").stringValue();
        await().untilAsserted(() -> {
            assertThat(project.run(next).path("place").intValue(0)).isEqualTo(1);
            assertThat(project.run(last).path("place").intValue(0)).isEqualTo(3);
        });
        assertThat(project.run(last).path("predictedStart").isNull()).isTrue();
        assertThat(project.run(first.run().toString()).path("place").isNull()).isTrue();

        lab.advance(Duration.ofSeconds(60), List.of(agent));
        complete(agent, first);
        Assignment.Training second = agent.training();

        assertThat(second.run()).hasToString(next);
        Instant now = lab.clock().instant();
        await().untilAsserted(() -> {
            JsonNode view = project.run(last);
            assertThat(view.path("place").intValue(0)).isEqualTo(2);
            assertThat(Instant.parse(view.path("predictedStart").stringValue("")))
                    .isCloseTo(now.plusSeconds(120), within(6, ChronoUnit.SECONDS));
        });
    }

    /** The epochs take years of virtual time, while the run may end at any moment. */
    @Test
    void virtualTimeDoesNotPredictTheEnd() {
        TestingAgent agent = lab.agents(1).getFirst();
        String virtual =
                definition(1, 1)
                        .replace("\"epochs\": 1", "\"epochs\": 2")
                        .replace(
                                "\"seeds\"",
                                "\"execution\": {\"kind\": \"virtual\", \"samplesPerSecond\": 1e-6}, \"seeds\"");
        String running = project.submitOne(virtual);
        Assignment simulation = agent.work();
        agent.tell(
                simulation,
                new RunReport.ReplicaReady(0, 0, "start"),
                TestingEpochs.epoch(
                        1,
                        60,
                        6e7,
                        0,
                        0,
                        6e7,
                        0,
                        0.5,
                        new EpochFinished.TestScore(0.9, 0.4),
                        "end"));
        project.prediction(running);
        String next = project.submitOne(definition(1, 2));
        String last = project.submitOne(definition(1, 3));

        await().untilAsserted(
                        () -> assertThat(project.run(last).path("place").intValue(0)).isEqualTo(2));
        assertThat(project.run(next).path("predictedStart").isNull()).isTrue();
    }

    @Test
    void unsatisfiableRunIsReportedAtOnceAndReconsideredWithNewWorkers() {
        lab.agents(1);
        JsonNode run = project.submit(definition(2, 1)).getFirst();

        assertThat(run.at("/waiting/code").stringValue()).isEqualTo("unsatisfiable");
        assertThat(run.at("/waiting/message").stringValue())
                .isEqualTo(
                        "2 workers needed, 1 available; this wait does not end by itself: start"
                                + " more agents, or cancel the run and ask for fewer workers");
        lab.join("second");
        assertWaits(
                run.path("id").stringValue(),
                "workers-busy",
                "2 workers needed, 1 of 2 eligible workers idle");
    }

    @Test
    void replicaQuotaLimitsWorkersAtOnce() {
        limit("replicasAtOnce", 2);
        List<TestingAgent> agents = lab.agents(4);
        List<JsonNode> runs = project.submit(definition(2, 1, 2));
        String first = runs.getFirst().path("id").stringValue();
        String second = runs.getLast().path("id").stringValue();

        assertState(first, "PLACED");
        assertWaits(
                second,
                "quota-replicas",
                "2 workers needed, 2 of the 2 workers of the project's quota in use");
        assertThat(project.run(second).path("predictedStart").isNull()).isTrue();
        lab.advance(Duration.ofSeconds(30), agents);
        JsonNode usage = project.member().get("/projects/" + project.id() + "/usage").expect(200);
        assertThat(usage.at("/quota/replicasAtOnce").intValue()).isEqualTo(2);
        assertThat(usage.path("replicasAtOnce").intValue()).isEqualTo(2);
        assertThat(usage.path("queuedRuns").intValue()).isEqualTo(1);
        assertThat(usage.path("workerMinutesAWeek").doubleValue()).isCloseTo(1, within(0.01));
        assertThat(usage.path("storedBytes").longValue()).isPositive();
        lab.project().submitOne(definition(2, 1));
        breakDown(agents.getFirst(), agents.getFirst().work());
        assertState(second, "PLACED");
    }

    /** A suspended rank keeps its worker until the service reconfigures or restarts the run. */
    @Test
    void workersOfSuspendedRanksCountForTheReplicaQuota() {
        limit("replicasAtOnce", 4);
        List<TestingAgent> agents = lab.agents(3);
        project.submitOne(
                definition(3, 1).replace("\"replicas\": 3", "\"replicas\": 3, \"minimum\": 2"));
        List<Assignment.Training> parts = agents.stream().map(TestingAgent::training).toList();
        for (int i = 0; i < agents.size(); i++) {
            agents.get(i).tell(parts.get(i), new RunReport.ReplicaReady(0, 0.002, "start"));
        }
        int missing = (parts.getFirst().rank() + 1) % parts.size();
        var point = new Outcome.Interrupted.RetainedPoint(new Position(1, 1, 30), "weights");
        agents.getFirst()
                .tell(
                        parts.getFirst(),
                        new RunReport.RoundReached(0, 1, 1),
                        new Outcome.Interrupted(0, point, List.of(missing)));

        List<TestingAgent> all = new ArrayList<>(agents);
        all.add(lab.join("agent-3"));
        all.add(lab.join("agent-4"));
        TestingLab.beat(all);
        String second = project.submitOne(definition(2, 1));

        assertWaits(
                second,
                "quota-replicas",
                "2 workers needed, 3 of the 4 workers of the project's quota in use");
    }

    @Test
    void definitionAboveReplicaQuotaIsRejected() {
        String experiment = project.define(definition(3, 1)).path("id").stringValue();
        limit("replicasAtOnce", 2);

        Answer answer = project.member().post("/experiments/" + experiment + "/runs");

        answer.problem(400, "invalid-definition");
        assertThat(answer.violations())
                .containsExactly(
                        "/workers/replicas must take at most 2 workers, the quota of the project");
    }

    @Test
    void queuedRunsQuotaIsEnforced() {
        limit("queuedRuns", 2);
        String experiment = project.define(definition(9, 1, 2, 3)).path("id").stringValue();

        assertThat(
                        project.member()
                                .post("/experiments/" + experiment + "/runs")
                                .problem(409, "quota-exceeded")
                                .path("detail")
                                .stringValue())
                .isEqualTo(
                        "The project may have 2 queued runs, but has 0, and 3 more were submitted");
        assertThat(project.submit(definition(9, 1, 2))).hasSize(2);
    }

    @Test
    void weeklyQuotaRecoversAfterAWeek() {
        limit("workerMinutesAWeek", 1);
        List<TestingAgent> agents = lab.agents(1);
        project.submitOne(definition(1, 1));
        Assignment part = agents.getFirst().work();
        lab.advance(Duration.ofSeconds(66), agents);
        breakDown(agents.getFirst(), part);
        String next = project.submitOne(definition(1, 2));
        assertWaits(
                next,
                "quota-worker-minutes",
                "the project has used 1 of the 1 worker-minutes of its weekly quota; it gets more at ");

        lab.clock().advance(Duration.ofDays(7));
        TestingLab.beat(agents);

        assertState(next, "PLACED");
    }

    @Test
    void measuringWorkerGetsNoOtherWork() {
        TestingAgent agent = lab.agents(1).getFirst();
        lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", Map.of("network", "mnist-cnn"))
                .expect(202);
        Assignment.Profiling profiling = agent.profiling();
        String run = project.submitOne(definition(1, 1));
        lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", Map.of("network", "mlp-784-512-10"))
                .expect(202);
        assertWaits(run, "profiling", "the profiles of 1 workers are being measured");

        agent.measure(profiling, 0.001);

        assertThat(agent.work()).isInstanceOf(Assignment.Training.class);
    }
}
