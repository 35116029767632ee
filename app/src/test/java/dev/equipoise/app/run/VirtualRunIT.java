package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class VirtualRunIT {

    private static final String VIRTUAL =
            ", \"execution\": {\"kind\": \"virtual\", \"samplesPerSecond\": 100}";

    private final TestingLab lab;
    private final TestingLab.Project project;

    VirtualRunIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Three replicas, and servers if the topology has some, on 3,000 samples. */
    private static String definition(String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "virtual", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
         "workers": {"replicas": 3}, "restarts": 0%s}
        """
                .formatted(more);
    }

    private void assertState(String run, String state) {
        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo(state));
    }

    private static AgentEvent ready(int rank) {
        return new RunReport.ReplicaReady(rank, 0.002, "start");
    }

    private static EpochFinished epoch(int rank, int samples) {
        return epoch(rank, samples, "end");
    }

    private static EpochFinished epoch(int rank, int samples, String parameters) {
        return TestingEpochs.ofRank(
                rank,
                TestingEpochs.epoch(
                        1,
                        samples,
                        1,
                        0.25,
                        0,
                        1.25,
                        1000,
                        0.5,
                        new EpochFinished.TestScore(0.9, 0.4),
                        parameters));
    }

    @Test
    void oneWorkerGetsTheWholePlanAndReportsForAllRanks() {
        List<TestingAgent> agents = lab.agents(2);
        TestingAgent agent = agents.getFirst();
        String run =
                project.submitOne(
                        definition(
                                """
                                , "execution": {"kind": "virtual", "samplesPerSecond": [100, 200]},
                                "topology": "parameter-server", "synchronization": "async",
                                "heterogeneity": {"slowDown": {"2": 1.5}}
                                """));

        var simulation = (Assignment.Simulation) agent.work();

        var plan = simulation.plan();
        assertThat(plan.division().shares()).containsExactly(0, 1000, 1000, 1000);
        assertThat(plan.division().slowDowns()).containsExactly(1.0, 1.0, 1.5, 1.0);
        assertThat(plan.execution())
                .isEqualTo(
                        new Execution.Virtual(
                                List.of(Speed.of(100), Speed.of(100), Speed.of(200), Speed.of(100)),
                                0,
                                new Execution.Link(50, 1000)));
        assertThat(plan.method().topology())
                .isEqualTo(new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));
        assertThat(plan.method().synchronization()).isInstanceOf(Synchronization.Async.class);
        agents.getLast().lease(0).expect(204);

        for (int rank = 0; rank < 4; rank++) {
            agent.tell(simulation, ready(rank));
        }
        assertState(run, "RUNNING");
        assertThat(project.prediction(run).path("modelSeconds").doubleValue()).isPositive();
        for (int rank = 0; rank < 4; rank++) {
            agent.tell(simulation, epoch(rank, rank == 0 ? 0 : 1000));
        }
        agent.tell(simulation, new Outcome.Finished());

        assertState(run, "COMPLETED");
        JsonNode epoch = project.run(run).at("/epochs/0");
        assertThat(epoch.path("ranks"))
                .extracting(it -> it.path("rank").intValue())
                .containsExactly(0, 1, 2, 3);
        assertThat(project.run(run).path("testAccuracy").doubleValue()).isEqualTo(0.9);
        assertValidated(project.run(run));
    }

    private static void assertValidated(JsonNode run) {
        JsonNode validation = run.path("validation");
        double predicted = validation.path("predictedSeconds").doubleValue();
        double correction = predicted / run.at("/prediction/modelSeconds").doubleValue();
        assertThat(validation.path("measuredSeconds").doubleValue()).isEqualTo(1.25);
        assertThat(validation.path("error").doubleValue())
                .isEqualTo((predicted - 1.25) / 1.25, within(1e-9));
        JsonNode slowed = validation.at("/ranks/2");
        assertThat(slowed.at("/predicted/computeSeconds").doubleValue())
                .as("1000 samples, 200 a second, slowed by 1.5")
                .isEqualTo(correction * 7.5, within(1e-9));
        assertThat(slowed.at("/measured/computeSeconds").doubleValue()).isEqualTo(1);
        assertThat(slowed.at("/measured/transferSeconds").doubleValue()).isEqualTo(0.25);
        assertThat(slowed.at("/measured/waitSeconds").doubleValue()).isZero();
    }

    /** The mean bandwidth around the ring is 700 MB/s and the slowest 100. */
    @Test
    void ringSamplesAsItsSlowestLinkAllows() {
        TestingAgent agent = lab.agents(1).getFirst();
        project.submitOne(
                """
                {"apiVersion": "equipoise/v1", "name": "sampled",
                 "dataset": {"name": "brown", "view": "sequences", "vocabulary": 100, "limit": 300},
                 "network": {"preset": "rnn-lm", "hidden": 8},
                 "training": {"epochs": 1, "batchSize": 10},
                 "workers": {"replicas": 3}, "topology": "all-reduce",
                 "compression": {"kind": "sampled-rows", "others": 0.7, "followLinks": true},
                 "execution": {"kind": "virtual", "samplesPerSecond": 100},
                 "heterogeneity": {"links": [{"between": [2, 0], "megabytesPerSecond": 100}]}}
                """);

        var simulation = (Assignment.Simulation) agent.work();

        var rows = (Compression.SampledRows) simulation.plan().method().compression();
        assertThat(rows.others()).isEqualTo(0.1, within(1e-9));
        assertThat(rows.followLinks()).isFalse();
    }

    /** A worker with all ranks reports the rounds of one rank only. */
    @Test
    void roundReportAppliesToAllRanks() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(definition(VIRTUAL));
        Assignment simulation = agent.work();
        agent.tell(simulation, ready(0), ready(1), ready(2));
        agent.tell(simulation, new RunReport.RoundReached(0, 1, 40));

        assertThat(project.run(run).at("/progress/round").intValue()).isEqualTo(40);
        assertThat(project.run(run).at("/progress/fraction").doubleValue()).isEqualTo(0.4);
    }

    /** A server that sums gradients keeps its initial weights. */
    @Test
    void weightsOfAServerDoNotMakeReplicasDiffer() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run =
                project.submitOne(
                        definition(
                                """
                                , "execution": {"kind": "virtual", "samplesPerSecond": 100},
                                "topology": "parameter-server"
                                """));
        Assignment simulation = agent.work();
        agent.tell(simulation, ready(0), ready(1), ready(2), ready(3));
        agent.tell(simulation, epoch(0, 0, "start"), epoch(1, 1000), epoch(2, 1000));
        agent.tell(simulation, epoch(3, 1000));

        JsonNode view = project.run(run);
        assertThat(view.path("replicasIdentical").booleanValue()).isTrue();
        assertThat(view.at("/epochs/0/replicasIdentical").booleanValue()).isTrue();
    }

    @Test
    void unknownRankIsRejected() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(definition(VIRTUAL));
        Assignment simulation = agent.work();

        agent.report(simulation, ready(3)).problem(400, "invalid-request");

        assertState(run, "PREPARING");
        agent.tell(simulation, ready(2));
    }

    @Test
    void missingRankReportFailsTheRun() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(definition(VIRTUAL));
        Assignment simulation = agent.work();
        agent.tell(simulation, ready(0), ready(1), ready(2));
        agent.tell(simulation, epoch(0, 1000), epoch(2, 1000), new Outcome.Finished());

        assertState(run, "FAILED");
        assertThat(project.run(run).at("/failure/code").stringValue())
                .isEqualTo("incomplete-report");
        assertThat(project.run(run).at("/failure/message").stringValue())
                .isEqualTo("rank 1 on agent-0 finished, but reported 0 of 1 epochs");
    }

    @Test
    void runWithoutSpeedsWaitsForTheProfileOfItsWorker() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run =
                project.submitOne(
                        definition(
                                """
                                , "execution": "virtual", "partitioning": "functional",
                                "heterogeneity": {"slowDown": {"0": 4}}
                                """));
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/code").stringValue())
                        .isEqualTo("profiling"));
        agent.measure(agent.profiling(), 0.001);

        var plan = ((Assignment.Simulation) agent.work()).plan();

        assertThat(plan.division().shares()).containsExactly(334, 1333, 1333);
        var virtual = (Execution.Virtual) plan.execution();
        assertThat(virtual.speeds()).hasSize(1);
        assertThat(virtual.speed(2).points())
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it.seconds()).isEqualTo(it.size() * 0.001));
    }

    @Test
    void dynamicSharesBeginEqualAndMayChange() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run =
                project.submitOne(
                        definition(VIRTUAL + ", \"partitioning\": {\"kind\": \"dynamic\"}")
                                .replace("\"epochs\": 1", "\"epochs\": 2"));
        var simulation = (Assignment.Simulation) agent.work();
        assertThat(simulation.plan().division().shares()).containsExactly(1000, 1000, 1000);
        assertThat(simulation.plan().division().rebalancing())
                .as("one worker has memory for all samples")
                .isEqualTo(new TrainingPlan.Rebalancing(0.05, List.of(3000, 3000, 3000)));
        agent.tell(simulation, ready(0), ready(1), ready(2));

        agent.tell(simulation, epoch(0, 1500), epoch(1, 1500), epoch(2, 0));

        assertThat(project.run(run).at("/epochs/0/ranks"))
                .extracting(it -> it.path("samples").intValue())
                .containsExactly(1500, 1500, 0);
        agent.report(simulation, epoch(0, 3001)).problem(400, "invalid-request");
    }

    @Test
    void workerOfARealRunReportsForItselfOnly() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(""));
        List<Assignment.Training> parts = agents.stream().map(TestingAgent::training).toList();

        agents.getFirst()
                .client()
                .post(
                        "/assignments/" + parts.getFirst().id() + "/events",
                        new Report(parts.getFirst().generation(), 1, List.of(ready(1))))
                .problem(400, "invalid-request");

        agents.getFirst().tell(parts.getFirst(), ready(0));
        assertState(run, "PREPARING");
    }
}
