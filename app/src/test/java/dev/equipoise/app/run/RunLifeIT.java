package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class RunLifeIT {

    private static final Kernel STEP = new Kernel.TrainingStep("mnist-cnn");

    private final TestingLab lab;
    private final EntityManagerFactory database;
    private final TestingLab.Project project;

    RunLifeIT(@Autowired TestingLab lab, @Autowired EntityManagerFactory database) {
        this.lab = lab;
        this.database = database;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Three replicas on 3,000 samples with a mini-batch size of 10: 100 rounds. */
    private static String definition(String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
         "workers": {"replicas": 3}, "restarts": 0%s}
        """
                .formatted(more);
    }

    private void assertState(String run, String state) {
        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo(state));
    }

    private void assertWaits(String run, String code, String message) {
        await().untilAsserted(() -> {
            JsonNode waiting = project.run(run).path("waiting");
            assertThat(waiting.path("code").stringValue()).isEqualTo(code);
            assertThat(waiting.path("message").stringValue()).isEqualTo(message);
        });
    }

    private String state(TestingAgent agent) {
        return lab.administrator()
                .get("/workers/" + agent.id())
                .expect(200)
                .path("state")
                .stringValue();
    }

    private static List<Assignment.Training> lease(List<TestingAgent> agents) {
        return agents.stream().map(TestingAgent::training).toList();
    }

    private static AgentEvent ready() {
        return new RunReport.ReplicaReady(0, 0.002, "start");
    }

    private static AgentEvent epoch(int epoch, int samples, double compute, String parameters) {
        return TestingEpochs.epoch(
                epoch,
                samples,
                compute,
                0.25,
                4 - compute,
                4.25,
                1000,
                0.5,
                new EpochFinished.TestScore(0.9, 0.4),
                parameters);
    }

    /** Run in which all replicas are ready, with its agents and their assignments. */
    private record Started(String run, List<TestingAgent> agents, List<Assignment.Training> parts) {

        void all(AgentEvent event) {
            for (int rank = 0; rank < agents.size(); rank++) {
                agents.get(rank).tell(parts.get(rank), event);
            }
        }
    }

    private Started started() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(""));
        Started started = new Started(run, agents, lease(agents));
        started.all(ready());
        return started;
    }

    /** The slowest rank's last report counts. */
    @Test
    void runHasItsTimesByRunPhase() {
        Started started = started();
        assertThat(project.run(started.run()).path("times").isNull()).isTrue();

        started.all(elapsed(2));
        started.agents().get(1).tell(started.parts().get(1), elapsed(5));

        JsonNode times = project.run(started.run()).path("times");
        assertThat(times.path("elapsedSeconds").doubleValue()).isEqualTo(5.75);
        assertThat(times.path("phases").path("trainingSeconds").doubleValue()).isEqualTo(5);
        assertThat(times.path("phases").path("checkpointSeconds").doubleValue()).isEqualTo(0.75);
        assertThat(times.path("ranks"))
                .extracting(it -> it.path("elapsedSeconds").doubleValue())
                .containsExactly(2.75, 5.75, 2.75);
    }

    private static AgentEvent elapsed(double training) {
        return new RunReport.PhasesElapsed(
                0, training + 0.75, new RunPhases(0, 0, 0, 0, 0, training, 0, 0.75, 0));
    }

    @Test
    void queuedRunHasAWaitReason() {
        lab.agents(2);
        String run = project.submitOne(definition(""));

        assertWaits(
                run,
                "unsatisfiable",
                "3 workers needed, 2 available; this wait does not end by itself: start more"
                        + " agents, or cancel the run and ask for fewer workers");
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("QUEUED");
    }

    @Test
    void unsatisfiableRunsDoNotBlockLaterRuns() {
        List<Integer> seeds = IntStream.range(0, 1000).boxed().toList();
        String unsatisfiable =
                project.submit(
                                definition(", \"seeds\": " + seeds)
                                        .replace("\"replicas\": 3", "\"replicas\": 999"))
                        .getLast()
                        .path("id")
                        .stringValue();
        lab.agents(3);
        String run = project.submitOne(definition(""));

        assertState(run, "PLACED");
        assertWaits(
                unsatisfiable,
                "unsatisfiable",
                "999 workers needed, 3 available; this wait does not end by itself: start more"
                        + " agents, or cancel the run and ask for fewer workers");
    }

    @Test
    void runIsPlacedOnceAllWorkersSeeEachOther() {
        List<TestingAgent> agents = new ArrayList<>(lab.agents(2));
        String run = project.submitOne(definition(""));
        agents.add(lab.join("third"));
        assertWaits(run, "workers-busy", "3 workers needed, 2 of 3 eligible workers idle");
        agents.getLast().beat(agents).expect(200);
        assertWaits(
                run,
                "cluster-forming",
                "the workers do not all see one another yet: agent-0 does not see third, agent-1"
                        + " does not see third");

        TestingLab.beat(agents);

        assertState(run, "PLACED");
        JsonNode placed = project.run(run);
        assertThat(placed.path("generation").intValue()).isEqualTo(1);
        assertThat(placed.path("waiting").isNull()).isTrue();
        assertThat(placed.path("replicas"))
                .extracting(it -> it.path("share").intValue())
                .containsExactly(1000, 1000, 1000);
        assertThat(placed.path("replicas"))
                .extracting(it -> it.path("worker").stringValue())
                .containsExactlyElementsOf(agents.stream().map(it -> it.id().toString()).toList());
        assertThat(placed.at("/replicas/0/batch/0").intValue()).isEqualTo(10);
        assertThat(agents).allSatisfy(it -> assertThat(state(it)).isEqualTo("BUSY"));
    }

    @Test
    void allRanksGetTheSamePlanPeersAndKey() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(", \"seed\": 7"));
        List<Assignment.Training> parts = lease(agents);

        assertThat(parts).extracting(Assignment.Training::rank).containsExactly(0, 1, 2);
        assertThat(parts)
                .allSatisfy(part -> {
                    assertThat(part.run()).hasToString(run);
                    assertThat(part.peers())
                            .containsExactlyElementsOf(
                                    agents.stream().map(TestingAgent::id).toList());
                    assertThat(part.key()).isEqualTo(parts.getFirst().key());
                    assertThat(part.plan()).isEqualTo(parts.getFirst().plan());
                    assertThat(part.plan().division().rounds()).isEqualTo(100);
                    assertThat(part.plan().seed()).isEqualTo(7);
                });
        assertState(run, "PREPARING");
    }

    @Test
    void lostResponseRepeatsTheSameLease() {
        TestingAgent agent = lab.agents(3).getFirst();
        project.submitOne(definition(""));

        assertThat(agent.training()).isEqualTo(agent.training());
    }

    @Test
    void assignmentFetchedRepeatedlyWithoutReportFailsTheRun() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(""));
        agents.getFirst().training();
        agents.getFirst().training();
        agents.getFirst().training();

        agents.getFirst().lease(0).expect(204);

        assertState(run, "FAILED");
        JsonNode failure = project.run(run).path("failure");
        assertThat(failure.path("code").stringValue()).isEqualTo("assignment-lost");
        assertThat(failure.path("message").stringValue())
                .isEqualTo("rank 0 leased its assignment 3 times and never reported on it");
        assertThat(agents).allSatisfy(it -> assertThat(state(it)).isEqualTo("IDLE"));
    }

    @Test
    void profileFetchedRepeatedlyWithoutReportFails() {
        TestingAgent agent = lab.agents(1).getFirst();
        String profiles = "/workers/" + agent.id() + "/profiles";
        lab.administrator().post(profiles, Map.of("network", "mnist-cnn")).expect(202);
        agent.profiling();
        agent.profiling();
        agent.profiling();

        agent.lease(0).expect(204);

        assertThat(
                        lab.administrator()
                                .get(profiles)
                                .expect(200)
                                .at("/items/0/failure")
                                .stringValue())
                .isEqualTo("the worker leased its assignment 3 times and never reported on it");
        assertThat(state(agent)).isEqualTo("IDLE");
    }

    @Test
    void workerThatAsksForWorkHasLostItsAssignment() {
        Started started = started();

        started.agents().getFirst().lease(0).expect(204);

        JsonNode failure = project.run(started.run()).path("failure");
        assertThat(failure.path("message").stringValue())
                .isEqualTo("rank 0 has lost its assignment and asks for new work");
        assertThat(state(started.agents().getFirst())).isEqualTo("IDLE");
    }

    @Test
    void unstorableCharactersAreRemovedFromMessages() {
        Started started = started();
        tell(started, 0, new Outcome.Failed(FailureCause.WORKER, "internal-error", "a\0b\0"));

        assertThat(project.run(started.run()).at("/failure/message").stringValue())
                .isEqualTo("rank 0 on agent-0: ab");
    }

    @Test
    void longPollReturnsAsSoonAsWorkExists() throws Exception {
        List<TestingAgent> agents = lab.agents(3);
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Assignment.Training> waiting = other.submit(agents.getFirst()::training);
            project.submitOne(definition(""));

            assertThat(waiting.get().rank()).isZero();
        }
    }

    @Test
    void runTrainsItsEpochsAndShowsTheirFigures() {
        Started started = started();
        assertState(started.run(), "RUNNING");
        assertThat(project.run(started.run()).path("prediction").isNull()).isTrue();
        started.all(new RunReport.RoundReached(0, 1, 50));
        assertThat(project.run(started.run()).at("/progress/fraction").doubleValue())
                .isEqualTo(0.25);

        started.all(epoch(1, 1000, 3, "p1"));
        JsonNode halfway = project.run(started.run());
        assertThat(halfway.at("/progress/fraction").doubleValue()).isEqualTo(0.5);
        assertThat(halfway.path("epochSeconds").doubleValue()).isEqualTo(4.25);
        assertThat(halfway.path("replicasIdentical").booleanValue()).isTrue();
        assertThat(halfway.path("testAccuracy").doubleValue()).isEqualTo(0.9);
        assertThat(halfway.at("/epochs/0/ranks/2/computeSeconds").doubleValue()).isEqualTo(3);

        started.all(epoch(2, 1000, 3, "p2"));
        started.agents().get(0).tell(started.parts().get(0), new Outcome.Finished());
        assertState(started.run(), "RUNNING");
        assertThat(state(started.agents().get(0))).isEqualTo("IDLE");
        started.agents().get(1).tell(started.parts().get(1), new Outcome.Finished());
        started.agents().get(2).tell(started.parts().get(2), new Outcome.Finished());

        JsonNode completed = project.run(started.run());
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("endedAt").isNull()).isFalse();
        assertThat(completed.path("epochs")).hasSize(2);
        assertThat(completed.at("/progress/fraction").doubleValue()).isEqualTo(1);
        assertThat(started.agents()).allSatisfy(it -> assertThat(state(it)).isEqualTo("IDLE"));
        project.member().post("/runs/" + started.run() + "/cancel").problem(409, "illegal-state");
    }

    @Test
    void listReadsNoRanksAndEpochs() {
        Started started = started();
        started.all(epoch(1, 1000, 3, "p1"));
        Statistics statistics = statistics();
        JsonNode whole = project.run(started.run());
        long ranks = statistics.getEntityStatistics(RunRank.class.getName()).getLoadCount();
        long epochs =
                statistics
                        .getEntityStatistics("dev.equipoise.app.telemetry.EpochResult")
                        .getLoadCount();

        JsonNode listed = project.member().get("/runs?state=RUNNING").expect(200).at("/items/0");

        assertThat(statistics.getEntityStatistics(RunRank.class.getName()).getLoadCount())
                .isEqualTo(ranks);
        assertThat(
                        statistics
                                .getEntityStatistics("dev.equipoise.app.telemetry.EpochResult")
                                .getLoadCount())
                .isEqualTo(epochs)
                .as("read for the whole run")
                .isPositive();
        assertThat(listed.propertyNames())
                .doesNotContain("epochs", "replicas", "configuration")
                .contains("progress", "epochSeconds", "testAccuracy", "replicasIdentical");
        for (String name : listed.propertyNames()) {
            if (whole.has(name)) {
                assertThat(listed.path(name)).as(name).isEqualTo(whole.path(name));
            }
        }
        assertThat(listed.at("/partitioning/kind").stringValue()).isEqualTo("equal");
        assertThat(listed.at("/progress/fraction").doubleValue()).isEqualTo(0.5);
        assertThat(listed.path("epochSeconds").doubleValue()).isEqualTo(4.25);
    }

    private Statistics statistics() {
        Statistics statistics = database.unwrap(SessionFactory.class).getStatistics();
        statistics.setStatisticsEnabled(true);
        return statistics;
    }

    @Test
    void slowestRankDeterminesTheProgress() {
        Started started = started();
        tell(started, 0, new RunReport.RoundReached(0, 2, 1));
        tell(started, 1, new RunReport.RoundReached(0, 1, 70));
        tell(started, 2, new RunReport.RoundReached(0, 1, 60));

        JsonNode progress = project.run(started.run()).path("progress");

        assertThat(progress.path("epoch").intValue()).isEqualTo(1);
        assertThat(progress.path("round").intValue()).isEqualTo(60);
    }

    @Test
    void serversDoNotCountInTheProgress() {
        List<TestingAgent> agents = lab.agents(4);
        String run = project.submitOne(definition(", \"topology\": \"parameter-server\""));
        Started started = new Started(run, agents, lease(agents));
        started.all(ready());
        for (int rank = 1; rank < 4; rank++) {
            tell(started, rank, new RunReport.RoundReached(0, 1, 50));
        }

        assertThat(project.run(run).at("/progress/fraction").doubleValue()).isEqualTo(0.25);
    }

    private static void tell(Started started, int rank, AgentEvent event) {
        started.agents().get(rank).tell(started.parts().get(rank), event);
    }

    @Test
    void rankWithAMissingEpochReportFailsTheRun() {
        Started started = started();
        started.all(epoch(1, 1000, 3, "p1"));
        started.agents().get(0).tell(started.parts().get(0), new Outcome.Finished());

        JsonNode failure = project.run(started.run()).path("failure");
        assertThat(failure.path("cause").stringValue()).isEqualTo("worker");
        assertThat(failure.path("code").stringValue()).isEqualTo("incomplete-report");
        assertThat(failure.path("message").stringValue())
                .isEqualTo("rank 0 on agent-0 finished, but reported 1 of 2 epochs");
    }

    @Test
    void epochIsShownOnceAllRanksReportedIt() {
        Started started = started();
        started.agents().get(0).tell(started.parts().get(0), epoch(1, 1000, 3, "p1"));
        started.agents().get(1).tell(started.parts().get(1), epoch(1, 1000, 3, "p1"));
        assertThat(project.run(started.run()).path("epochs")).isEmpty();

        started.agents().get(2).tell(started.parts().get(2), epoch(1, 1000, 3, "another"));

        JsonNode run = project.run(started.run());
        assertThat(run.path("epochs")).hasSize(1);
        assertThat(run.path("replicasIdentical").booleanValue()).isFalse();
    }

    @Test
    void replicasWithDifferentInitialWeightsFail() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(""));
        List<Assignment.Training> parts = lease(agents);
        agents.get(0).tell(parts.get(0), ready());
        agents.get(1).tell(parts.get(1), ready());
        agents.get(2).tell(parts.get(2), new RunReport.ReplicaReady(0, 0, "another"));

        assertThat(project.run(run).at("/failure/code").stringValue()).isEqualTo("replicas-differ");
    }

    @Test
    void reportsAreAppliedOnceAndInOrder() {
        Started started = started();
        TestingAgent agent = started.agents().getFirst();
        Assignment part = started.parts().getFirst();
        agent.send(part, 1, 1, ready()).expect(204);
        agent.send(part, 1, 1, ready(), new RunReport.RoundReached(0, 1, 10)).expect(204);
        agent.send(part, 1, 2, new RunReport.RoundReached(0, 1, 10)).expect(204);

        assertThat(
                        agent.send(part, 1, 4, new RunReport.RoundReached(0, 1, 20))
                                .problem(400, "invalid-request")
                                .path("detail")
                                .stringValue())
                .isEqualTo("event 3 is expected next, but the report starts with 4");
        agent.send(part, 2, 3, new RunReport.RoundReached(0, 1, 20))
                .problem(409, "stale-generation");
        agent.send(part, 1, 3, new RunReport.RoundReached(0, 1, 20)).expect(204);
    }

    @Test
    void lastReportMayBeRepeated() {
        Started started = started();
        TestingAgent agent = started.agents().getFirst();
        Assignment part = started.parts().getFirst();
        agent.tell(part, epoch(1, 1000, 3, "p1"), epoch(2, 1000, 3, "p2"));
        agent.send(part, 1, 4, new Outcome.Finished()).expect(204);

        agent.send(part, 1, 4, new Outcome.Finished()).expect(204);
        agent.send(part, 1, 5, new RunReport.RoundReached(0, 2, 1))
                .problem(409, "stale-generation");
    }

    @Test
    void assignmentOfAnotherWorkerIsNotFound() {
        Started started = started();

        started.agents()
                .get(0)
                .send(started.parts().get(1), 1, 2, new RunReport.RoundReached(0, 1, 1))
                .problem(404, "not-found");
        started.agents()
                .get(0)
                .client()
                .post("/assignments/" + UUID.randomUUID() + "/events", "{}")
                .problem(400, "invalid-request");
    }

    @Test
    void foreignEventsAreRejectedAsInvalid() {
        List<TestingAgent> agents = lab.agents(3);
        project.submitOne(definition(""));
        TestingAgent agent = agents.getFirst();
        Assignment part = agent.training();

        agent.report(part, new ProfileReport.PointMeasured(STEP, new MeasuredPoint(8, 1, 5, 0, 0)))
                .problem(400, "invalid-request");
        agent.client()
                .post(
                        "/assignments/" + part.id() + "/events",
                        """
                        {"generation": 1, "firstSequence": 1, "events": [{"type": "round-reached", "round": -1}]}
                        """)
                .problem(400, "invalid-request");
        agent.client()
                .post(
                        "/assignments/" + part.id() + "/events",
                        """
                        {"generation": 1, "firstSequence": 1, "events": [null]}
                        """)
                .problem(400, "invalid-request");
        agent.tell(part, ready());
        agent.report(part, new RunReport.ReplicaReady(0, 0, "start")).expect(204);
    }

    @Test
    void nonFiniteLossIsRejected() {
        Started started = started();
        Answer answer =
                started.agents()
                        .getFirst()
                        .client()
                        .post(
                                "/assignments/" + started.parts().getFirst().id() + "/events",
                                """
                                {"generation": 1, "firstSequence": 2, "events": [
                                  {"type": "epoch-finished", "rank": 0, "epoch": 1, "samples": 10,
                                   "phases": {"computeSeconds": 1, "encodeSeconds": 0,
                                              "transferSeconds": 1, "waitSeconds": 1,
                                              "applySeconds": 0, "hiddenSeconds": 0},
                                   "wallSeconds": 3,
                                   "traffic": {"gradientBytes": 1, "weightBytes": 0,
                                               "controlBytes": 0, "frames": 1},
                                   "updates": {"steps": 1, "learningRate": 1, "staleness": [],
                                               "greatestStaleness": 0},
                                   "meanLoss": "NaN", "parameters": "p"}]}
                                """);

        answer.problem(400, "invalid-request");
        assertThat(answer.violations())
                .containsExactly("/events/0 meanLoss must be a finite number, but was NaN");
    }

    @Test
    void reportsThatContradictTheRunAreRejected() {
        Started started = started();

        assertRejected(started, epoch(99, 1000, 3, "p99"), "epoch must be from 1 to 2, but was 99");
        assertRejected(
                started,
                new RunReport.RoundReached(0, 1, 101),
                "round must be at most 100, but was 101");
        var point =
                new ProfileReport.PointMeasured(
                        new Kernel.Gemm(), new MeasuredPoint(64, 0.02, 5, 0.001, 0.002));
        assertRejected(started, point, point + " does not belong to a run");
        assertRejected(
                started,
                epoch(1, 999, 3, "p1"),
                "samples must be the rank's share, 1000, but was 999");
        tell(started, 0, epoch(1, 1000, 3, "p1"));
        assertRejected(started, epoch(1, 1000, 3, "p1"), "rank 0 has reported epoch 1 already");
        assertThat(project.run(started.run()).at("/progress/fraction").doubleValue()).isZero();
    }

    private static void assertRejected(Started started, AgentEvent event, String detail) {
        assertThat(
                        started.agents()
                                .getFirst()
                                .report(started.parts().getFirst(), event)
                                .problem(400, "invalid-request")
                                .path("detail")
                                .stringValue())
                .isEqualTo(detail);
    }

    @Test
    void noRankFinishesBeforeAllAreReady() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(""));
        List<Assignment.Training> parts = lease(agents);
        AgentEvent[] all = {
            epoch(1, 1000, 3, "p1"), epoch(2, 1000, 3, "p2"), new Outcome.Finished()
        };
        agents.get(0).tell(parts.get(0), all);
        agents.get(1).tell(parts.get(1), all);

        agents.get(2).report(parts.get(2), all).problem(409, "illegal-state");
        assertState(run, "PREPARING");
    }

    @Test
    void cancellationWithdrawsAssignments() {
        Started started = started();

        JsonNode canceled = project.member().post("/runs/" + started.run() + "/cancel").expect(200);

        assertThat(canceled.path("state").stringValue()).isEqualTo("CANCELLED");
        started.agents()
                .getFirst()
                .report(started.parts().getFirst(), new RunReport.RoundReached(0, 1, 1))
                .problem(409, "stale-generation");
        assertFreeOnceTheyAsk(started.agents());
        project.member().post("/runs/" + started.run() + "/cancel").problem(409, "illegal-state");
    }

    /**
     * Agents become free once they ask for work: until then they may not know that their assignment
     * was withdrawn.
     */
    private void assertFreeOnceTheyAsk(List<TestingAgent> agents) {
        assertThat(agents).allSatisfy(it -> assertThat(state(it)).isEqualTo("BUSY"));
        agents.forEach(it -> it.lease(0).expect(204));
        assertThat(agents).allSatisfy(it -> assertThat(state(it)).isEqualTo("IDLE"));
    }

    @Test
    void noRunIsPlacedOnAWorkerThatMayStillBeBusy() {
        Started started = started();
        project.member().post("/runs/" + started.run() + "/cancel").expect(200);
        String next = project.submitOne(definition(""));
        assertWaits(next, "workers-busy", "3 workers needed, 0 of 3 eligible workers idle");

        started.agents().forEach(it -> it.lease(0).expect(204));

        assertState(next, "PLACED");
    }

    @Test
    void cancellationFreesWorkersOfUnfetchedAssignmentsAtOnce() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(""));
        assertState(run, "PLACED");

        project.member().post("/runs/" + run + "/cancel").expect(200);

        assertThat(agents).allSatisfy(it -> assertThat(state(it)).isEqualTo("IDLE"));
    }

    @Test
    void cancellationRemovesAQueuedRunFromTheQueue() {
        String run = project.submitOne(definition(""));
        project.member().post("/runs/" + run + "/cancel").expect(200);

        assertThat(project.run(run).path("waiting").isNull()).isTrue();
        assertThat(project.run(run).path("endedAt").isNull()).isFalse();
    }

    /**
     * A cancellation must succeed although all agents send reports and heartbeats as fast as they
     * can.
     */
    @Test
    void cancellationWaitsForTheLockOfAReport() throws Exception {
        Started started = started();
        Statistics statistics = statistics();
        long failures = statistics.getOptimisticFailureCount();
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor();
                EntityManager report = database.createEntityManager()) {
            report.getTransaction().begin();
            report.createNativeQuery("update run set version = version + 1 where id = :run")
                    .setParameter("run", UUID.fromString(started.run()))
                    .executeUpdate();

            Future<Answer> cancel =
                    other.submit(() -> project.member().post("/runs/" + started.run() + "/cancel"));
            await().until(() -> !statementsWaitingForTheLock(report).isEmpty());
            report.getTransaction().commit();

            cancel.get().expect(200);
        }
        assertThat(statistics.getOptimisticFailureCount()).isEqualTo(failures);
    }

    private static List<?> statementsWaitingForTheLock(EntityManager database) {
        return database.createNativeQuery(
                        """
                        select pid from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock'
                        """)
                .getResultList();
    }

    @Test
    void cancellationAmongConcurrentReportsSucceeds() throws Exception {
        Started started = started();
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> ends = new ArrayList<>();
            List<Future<Integer>> beats = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                TestingAgent agent = started.agents().get(rank);
                Assignment part = started.parts().get(rank);
                ends.add(crowd.submit(() -> reportUntilRejected(agent, part)));
                beats.add(crowd.submit(() -> worstBeat(agent, started.agents(), over)));
            }
            try {
                await().until(() ->
                        project.run(started.run()).at("/progress/round").intValue() >= 20);
                project.member().post("/runs/" + started.run() + "/cancel").expect(200);
            } finally {
                over.set(true);
            }
            for (Future<String> end : ends) {
                assertThat(end.get()).isEqualTo("stale-generation");
            }
            for (Future<Integer> beat : beats) {
                assertThat(beat.get()).isEqualTo(200);
            }
        }
        assertFreeOnceTheyAsk(started.agents());
    }

    /** Returns the highest status of the responses to heartbeats. */
    private static int worstBeat(TestingAgent agent, List<TestingAgent> all, AtomicBoolean over) {
        int worst = 0;
        while (!over.get() && worst <= 200) {
            worst = Math.max(worst, agent.beat(all).status());
        }
        return worst;
    }

    private static String reportUntilRejected(TestingAgent agent, Assignment part) {
        for (int round = 1; round < 2_000; round++) {
            var answer = agent.report(part, new RunReport.RoundReached(0, 1, Math.min(round, 100)));
            if (answer.status() != 204) {
                return answer.body().path("code").stringValue();
            }
        }
        return "never";
    }

    @Test
    void failedRankFailsTheRunAndFreesTheOthers() {
        Started started = started();
        started.agents()
                .get(1)
                .tell(
                        started.parts().get(1),
                        new Outcome.Failed(FailureCause.WORKER, "peer-lost", "no answer"));

        JsonNode failed = project.run(started.run());
        assertThat(failed.path("state").stringValue()).isEqualTo("FAILED");
        assertThat(failed.at("/failure/cause").stringValue()).isEqualTo("worker");
        assertThat(failed.at("/failure/code").stringValue()).isEqualTo("peer-lost");
        assertThat(failed.at("/failure/message").stringValue())
                .isEqualTo("rank 1 on agent-1: no answer");
        assertThat(state(started.agents().get(1))).isEqualTo("IDLE");
        assertFreeOnceTheyAsk(List.of(started.agents().get(0), started.agents().get(2)));
        started.agents()
                .get(0)
                .report(started.parts().get(0), new RunReport.RoundReached(0, 1, 1))
                .problem(409, "stale-generation");
    }

    @Test
    void lostWorkerFailsTheRunAndFreesTheOthers() {
        Started started = started();
        List<TestingAgent> others = started.agents().subList(0, 2);

        lab.advance(
                Duration.ofSeconds(21),
                () -> others.forEach(it -> it.beat(started.agents()).expect(200)));

        assertState(started.run(), "FAILED");
        JsonNode failure = project.run(started.run()).path("failure");
        assertThat(failure.path("code").stringValue()).isEqualTo("worker-gone");
        assertThat(failure.path("message").stringValue())
                .isEqualTo("rank 2 on agent-2 was silent for 10 s");
        assertThat(state(started.agents().get(2))).isEqualTo("LOST");
        assertFreeOnceTheyAsk(others);
        started.agents()
                .get(2)
                .report(started.parts().get(2), new RunReport.RoundReached(0, 1, 1))
                .problem(409, "stale-generation");
    }

    @Test
    void leavingWorkerFailsItsRun() {
        Started started = started();
        started.agents().get(0).leave();

        assertThat(project.run(started.run()).at("/failure/message").stringValue())
                .isEqualTo("rank 0 on agent-0 left");
    }

    @Test
    void functionalPartitioningFollowsMeasuredSpeeds() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(", \"partitioning\": \"functional\""));
        assertWaits(run, "profiling", "the profiles of 3 workers are being measured");
        // The second worker is twice, the third four times as fast as the first.
        for (int rank = 0; rank < 3; rank++) {
            measure(agents.get(rank), 0.004 / (1 << rank));
        }

        assertState(run, "PLACED");
        assertThat(project.run(run).path("replicas"))
                .extracting(it -> it.path("share").intValue())
                .containsExactly(429, 857, 1714);
        JsonNode placement = placements(run).path(0);
        assertThat(placement.path("generation").intValue()).isEqualTo(1);
        assertThat(placement.path("ranks"))
                .extracting(it -> it.at("/profiles/0").stringValue())
                .containsExactlyElementsOf(agents.stream().map(this::newestProfile).toList());
        Started started = new Started(run, agents, lease(agents));
        started.all(ready());
        JsonNode prediction = project.prediction(run);
        assertThat(prediction.path("modelSeconds").doubleValue())
                .isEqualTo(429 * 0.004 + 0.2, within(1e-9));
        double correction =
                prediction.path("epochSeconds").doubleValue()
                        / prediction.path("modelSeconds").doubleValue();
        assertThat(prediction.path("computeSeconds").doubleValue())
                .isEqualTo(correction * 429 * 0.004, within(1e-9));
        assertThat(prediction.path("exchangeSeconds").doubleValue())
                .isEqualTo(correction * 0.2, within(1e-9));
    }

    private JsonNode placements(String run) {
        return project.member().get("/runs/" + run + "/placements").expect(200).path("items");
    }

    /** Each measurement gives the next mini-batch size to measure, until the shares are stable. */
    @Test
    void partialModelsMeasureAtTheSharesUntilTheyAreBalanced() {
        List<TestingAgent> agents = lab.agents(3);
        String run =
                project.submitOne(
                        definition(
                                ", \"partitioning\": {\"kind\": \"functional\", \"points\": \"partial\"}"));

        for (int step = 0; step < 2; step++) {
            for (int rank = 0; rank < 3; rank++) {
                measure(agents.get(rank), 0.004 / (1 << rank));
            }
        }

        assertState(run, "PLACED");
        assertThat(project.run(run).path("replicas"))
                .extracting(it -> it.path("share").intValue())
                .containsExactly(429, 857, 1714);
        assertThat(placements(run).at("/0/ranks/0/profiles"))
                .as("one profile at the equal share, one at its own share")
                .hasSize(2);
        JsonNode measured =
                lab.administrator()
                        .get("/workers/" + agents.getFirst().id() + "/profiles")
                        .expect(200)
                        .path("items");
        assertThat(measured)
                .as("at the equal share, and at its own share")
                .extracting(it -> it.at("/curves/0/points/0/size").intValue())
                .containsExactly(4, 10);
        assertThat(measured)
                .extracting(it -> it.path("origin").stringValue())
                .containsOnly("AT_SHARE");
    }

    @Test
    void waitReasonCountsMissingProfiles() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(", \"partitioning\": \"functional\""));

        measure(agents.getFirst(), 0.001);

        assertWaits(run, "profiling", "the profiles of 2 workers are being measured");
    }

    /** Failures before the run was queued do not count. */
    @Test
    void runFailsIfAWorkerCannotBeProfiled() {
        List<TestingAgent> agents = lab.agents(3);
        TestingAgent broken = agents.getFirst();
        lab.administrator()
                .post("/workers/" + broken.id() + "/profiles", Map.of("network", "mnist-cnn"))
                .expect(202);
        failToMeasure(broken, 0);
        String run = project.submitOne(definition(", \"partitioning\": \"functional\""));

        failToMeasure(broken, 1);
        failToMeasure(broken, 2);
        assertWaits(run, "profiling", "the profiles of 3 workers are being measured");
        failToMeasure(broken, 3);

        assertState(run, "FAILED");
        JsonNode failed = project.run(run);
        assertThat(failed.path("waiting").isNull()).isTrue();
        assertThat(failed.at("/failure/cause").stringValue()).isEqualTo("worker");
        assertThat(failed.at("/failure/code").stringValue()).isEqualTo("profile-failed");
        assertThat(failed.at("/failure/message").stringValue())
                .isEqualTo(
                        "agent-0 failed 3 times in a row to measure training-step:mnist-cnn,"
                                + " the last time: out-of-memory: attempt 3");
        broken.lease(0).expect(204);
    }

    /** No single worker causes a failed rendezvous, and the workers would retry without end. */
    @Test
    void runFailsIfCoLocatedWorkersCannotMeasureTogether() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(", \"partitioning\": \"functional\""));

        for (int attempt = 1; attempt <= 3; attempt++) {
            for (TestingAgent agent : agents) {
                agent.tell(
                        agent.profiling(),
                        new Outcome.Failed(FailureCause.WORKER, "peer-lost", "attempt " + attempt));
            }
        }

        assertState(run, "FAILED");
        assertThat(project.run(run).at("/failure/message").stringValue())
                .endsWith("the last time: peer-lost: attempt 3");
        assertThat(
                        lab.administrator()
                                .get("/workers/" + agents.getFirst().id() + "/profiles")
                                .expect(200)
                                .path("items"))
                .extracting(it -> it.path("state").stringValue())
                .containsExactly("CANCELLED", "CANCELLED", "CANCELLED");
    }

    /** A canceled profile is no failure of a worker. */
    @Test
    void canceledProfilesAreRequestedAgainIndefinitely() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(", \"partitioning\": \"functional\""));
        for (int time = 0; time < 4; time++) {
            agents.forEach(TestingAgent::profiling);
            lab.administrator()
                    .post("/profiles/" + newestProfile(agents.getFirst()) + "/cancel")
                    .expect(200);
            agents.forEach(agent -> agent.lease(0)); // ends the assignment
        }

        for (TestingAgent agent : agents) {
            measure(agent, 0.001);
        }

        assertState(run, "PLACED");
    }

    private String newestProfile(TestingAgent agent) {
        return lab.administrator()
                .get("/workers/" + agent.id() + "/profiles?limit=1")
                .expect(200)
                .at("/items/0/id")
                .stringValue();
    }

    private static void failToMeasure(TestingAgent agent, int attempt) {
        agent.tell(
                agent.profiling(),
                new Outcome.Failed(FailureCause.WORKER, "out-of-memory", "attempt " + attempt));
    }

    private static void measure(TestingAgent agent, double secondsPerSample) {
        agent.measure(agent.profiling(), secondsPerSample);
    }

    @Test
    void runsAreFilteredByExperimentAndState() {
        List<JsonNode> runs = project.submit(definition(", \"seeds\": [1, 2, 3]"));
        String experiment = runs.getFirst().path("experiment").stringValue();
        String canceled = runs.get(1).path("id").stringValue();
        project.member().post("/runs/" + canceled + "/cancel").expect(200);

        assertThat(runs).extracting(it -> it.path("seed").intValue()).containsExactly(1, 2, 3);
        assertThat(runs).extracting(it -> it.path("position").intValue()).containsExactly(0, 1, 2);
        assertThat(found("experiment=" + experiment)).hasSize(3);
        assertThat(found("experiment=" + experiment + "&limit=2")).hasSize(2);
        assertThat(found("state=CANCELLED")).containsExactly(canceled);
        assertThat(found("project=" + project.id() + "&state=QUEUED,PLACED")).hasSize(2);
        assertThat(found("experiment=" + UUID.randomUUID())).isEmpty();
    }

    private List<String> found(String query) {
        return project.member().get("/runs?" + query).expect(200).path("items").values().stream()
                .map(it -> it.path("id").stringValue())
                .toList();
    }
}
