package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Topology;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class HybridRunIT {

    private final TestingLab lab;
    private final TestingLab.Project project;

    HybridRunIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String definition(int replicas, String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "hybrid", "dataset": {"name": "nettalk", "limit": 100},
         "network": {"preset": "mlp-203-100-26"},
         "training": {"epochs": 1, "batchSize": 25, "loss": "squared-error"},
         "workers": {"replicas": %d}, %s}
        """
                .formatted(replicas, more);
    }

    @Test
    void virtualRunPredictsEachFormationAndAssignsUnits() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run =
                project.submitOne(
                        definition(
                                4,
                                """
                                "partitioning": {"kind": "hybrid", "nodeParallel": 2},
                                "execution": {"kind": "virtual", "samplesPerSecond": [50, 100]}\
                                """));

        var work = (Assignment.Simulation) agent.work();
        var plan = work.plan();

        Grouping grouping = Objects.requireNonNull(plan.division().grouping());
        assertThat(grouping.groups()).containsExactly(List.of(0, 2), List.of(1, 3));
        assertThat(grouping.units()).containsExactly(50, 50);
        assertThat(plan.division().shares()).containsExactly(33, 67, 0, 0);
        JsonNode hybrid = project.run(run).path("hybrid");
        assertThat(hybrid.path("samples")).extracting(JsonNode::intValue).containsExactly(33, 67);
        assertThat(hybrid.path("formations"))
                .extracting(it -> it.path("nodeParallel").intValue())
                .containsExactly(4, 2, 1);
        assertThat(hybrid.path("formations"))
                .extracting(it -> it.path("chosen").booleanValue())
                .containsExactly(false, true, false);
        assertThat(hybrid.path("formations"))
                .allSatisfy(it ->
                        assertThat(it.path("predictedSeconds").doubleValue()).isBetween(0.1, 1.0));
        for (int rank = 0; rank < 4; rank++) {
            agent.tell(work, new RunReport.ReplicaReady(rank, 0.001, "start"));
        }
        JsonNode chosen = hybrid.at("/formations/1");
        JsonNode prediction = project.prediction(run);
        assertThat(prediction.path("epochSeconds")).isEqualTo(chosen.path("predictedSeconds"));
        assertThat(prediction.path("exchangeSeconds"))
                .isEqualTo(chosen.path("predictedSumSeconds"));
        assertThat(prediction.path("exchangeSeconds").doubleValue()).isBetween(1e-5, 0.01);
    }

    @Test
    void realRunWaitsForProfilesAndAllReduceMeasurements() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(2, "\"partitioning\": \"hybrid\""));
        measure(agents, run);

        var plan = agents.getFirst().training().plan();

        assertThat(plan.links()).isEmpty();
        assertThat(Objects.requireNonNull(plan.division().grouping()).ranks()).isEqualTo(2);
        await().untilAsserted(
                        () -> assertThat(project.run(run).at("/hybrid/formations")).hasSize(2));
    }

    /** Reports the profiles and the all-reduces for which the run waits. */
    private void measure(List<TestingAgent> agents, String run) {
        agents.forEach(agent -> agent.measure(agent.profiling(), 0.001));
        List<TestingAgent> ranks =
                agents.stream()
                        .sorted(Comparator.comparing(agent -> agent.id().toString()))
                        .toList();
        var first = (LinkProfiling) ranks.getFirst().work();
        var second = (LinkProfiling) ranks.getLast().work();
        assertThat(project.run(run).at("/waiting/code").stringValue()).isEqualTo("profiling-links");
        ranks.getFirst()
                .tell(
                        first,
                        new LinkReport.LinkMeasured(new MeasuredLink(0, 1, 1e-4, 1e-9, 0)),
                        sum(10, 1e-3),
                        sum(1000, 2e-3),
                        new Outcome.Finished());
        ranks.getLast().tell(second, new Outcome.Finished());
    }

    @Test
    void restartedRunBeginsWithItsLastCheckpoint() {
        List<TestingAgent> agents = lab.agents(2);
        String definition =
                definition(2, "\"partitioning\": \"hybrid\"")
                        .replace("\"epochs\": 1", "\"epochs\": 2");
        measure(agents, project.submitOne(definition));
        List<Assignment.Training> parts = agents.stream().map(TestingAgent::training).toList();
        for (int i = 0; i < parts.size(); i++) {
            agents.get(i).tell(parts.get(i), new RunReport.ReplicaReady(0, 0.001, "start"));
        }

        for (int i = 0; i < parts.size(); i++) {
            agents.get(i).tell(parts.get(i), epoch(parts.get(i)));
            agents.get(i)
                    .client()
                    .put(
                            "/assignments/%s/checkpoints/1".formatted(parts.get(i).id()),
                            TestingCheckpoints.file(parts.get(i), 1))
                    .expect(204);
        }
        agents.getLast()
                .tell(
                        parts.getLast(),
                        new Outcome.Failed(FailureCause.WORKER, "broken", "it broke"));
        assertThat(agents.getFirst().lease(0).status()).isEqualTo(204);
        lab.advance(Duration.ofSeconds(12), agents);

        Assignment.Training resumed = agents.getFirst().training();
        assertThat(resumed.checkpointing()).isEqualTo(new Checkpointing(1, 2, 1));
        assertThat(resumed.plan().division().grouping()).isNotNull();
    }

    private static AgentEvent epoch(Assignment.Training part) {
        return TestingEpochs.epoch(
                1,
                part.plan().division().shares().get(part.rank()),
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new EpochFinished.TestScore(0.9, 0.4),
                "after 1");
    }

    private static AgentEvent sum(int numbers, double seconds) {
        return new LinkReport.AllReduceMeasured(
                new MeasuredAllReduce(Topology.Algorithm.RING, 2, numbers, seconds));
    }
}
