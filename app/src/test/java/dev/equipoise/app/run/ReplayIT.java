package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.RunReport.Strand;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class ReplayIT {

    private static final String RECORDED = ", \"record\": true";

    private final TestingLab lab;
    private final TestingLab.Project project;

    ReplayIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String definition(String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "order", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
         "workers": {"replicas": 2}, "synchronization": {"kind": "async", "maxStaleness": 2},
         "topology": {"kind": "all-reduce", "algorithm": "ring"}%s}
        """
                .formatted(more);
    }

    private static String replay(Object run) {
        return ", \"execution\": {\"kind\": \"replay\", \"run\": \"%s\"}".formatted(run);
    }

    private static AgentEvent decided(int choice, int count) {
        return new Decided(0, 1, Strand.MAIN, Collections.nCopies(count, choice));
    }

    /** Records a run with many decisions of rank 0 and few of rank 1. */
    private String recorded(List<TestingAgent> agents) {
        String run = project.submitOne(definition(RECORDED));
        Assignment.Training first = agents.get(0).training();
        Assignment.Training second = agents.get(1).training();
        assertThat(first.plan().observation().record()).isTrue();
        AgentEvent[] much =
                IntStream.range(0, 11).mapToObj(i -> decided(i, 2)).toArray(AgentEvent[]::new);
        agents.get(0).tell(first, new RunReport.ReplicaReady(0, 0.002, "start"));
        agents.get(1).tell(second, new RunReport.ReplicaReady(0, 0.002, "start"));
        agents.get(0).tell(first, much);
        agents.get(1).tell(second, decided(1, 3));
        agents.get(0).tell(first, epoch(), new Outcome.Finished());
        agents.get(1).tell(second, epoch(), new Outcome.Finished());
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("COMPLETED");
        return run;
    }

    private static AgentEvent epoch() {
        return TestingEpochs.epoch(
                1, 1500, 3, 0.25, 1, 4.25, 1000, 0.5, new EpochFinished.TestScore(0.9, 0.4), "end");
    }

    private Answer submit(String definition) {
        String experiment = project.define(definition).path("id").stringValue();
        return project.member().post("/experiments/" + experiment + "/runs");
    }

    @Test
    void executionOrderIsReadPageByPage() {
        String run = recorded(lab.agents(2));

        JsonNode first = project.member().get("/runs/" + run + "/order").expect(200);
        JsonNode rest =
                project.member()
                        .get("/runs/%s/order?after=%d".formatted(run, first.path("next").asLong()))
                        .expect(200);

        assertThat(first.path("items")).hasSize(10);
        assertThat(first.at("/items/3/choices").valueStream().map(JsonNode::intValue))
                .containsExactly(3, 3);
        assertThat(rest.path("items")).hasSize(2);
        assertThat(rest.path("next").isNull()).isTrue();
        assertThat(rest.at("/items/1/rank").intValue()).isEqualTo(1);
        assertThat(rest.at("/items/1/strand").stringValue()).isEqualTo("main");
        lab.project().member().get("/runs/" + run + "/order").problem(404, "not-found");
    }

    @Test
    void replayRunsOnOneWorkerWithRecordedSharesAndOrder() {
        List<TestingAgent> agents = lab.agents(2);
        String run = recorded(agents);
        String repeated = project.submitOne(definition(replay(run)));
        TestingAgent agent = agents.getFirst();
        var whole = (Assignment.Simulation) agent.work();

        assertThat(whole.plan().execution())
                .isEqualTo(new Execution.Replay(RunId.of(UUID.fromString(run))));
        assertThat(whole.plan().division().shares()).containsExactly(1500, 1500);
        String order = "/assignments/" + whole.id() + "/order";
        JsonNode first = agent.client().get(order).expect(200);
        assertThat(first.path("items")).hasSize(10);
        assertThat(
                        agent.client()
                                .get(order + "?after=" + first.path("next").asLong())
                                .expect(200)
                                .path("items"))
                .hasSize(2);
        agents.get(1).client().get(order).problem(404, "not-found");
        project.member().get("/runs/" + repeated + "/order").problem(404, "not-recorded");
    }

    @Test
    void replayMustMatchTheRecordedConfiguration() {
        String run = recorded(lab.agents(2));

        Answer rejected =
                submit(
                        definition(replay(run) + ", \"seed\": 2")
                                .replace("\"epochs\": 1", "\"epochs\": 3"));

        rejected.problem(400, "invalid-definition");
        assertThat(rejected.violations())
                .containsExactly(
                        "/seed must be as in the replayed run, /execution/run",
                        "/training must be as in the replayed run, /execution/run");
    }

    @Test
    void onlyCompletedRecordedRunsOfTheProjectAreReplayed() {
        String queued = project.submitOne(definition(RECORDED));
        String unrecorded = project.submitOne(definition(""));

        assertThat(submit(definition(replay(queued))).violations())
                .containsExactly("/execution/run must be a completed run, but it is QUEUED");
        assertThat(submit(definition(replay(unrecorded))).violations())
                .containsExactly(
                        "/execution/run must be a run with record: true",
                        "/execution/run must be a completed run, but it is QUEUED");
        assertThat(submit(definition(replay(UUID.randomUUID()))).violations())
                .containsExactly("/execution/run must be a run of this project");
    }

    @Test
    void unrequestedDecisionsAreRejected() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(""));
        Assignment.Training part = agents.get(0).training();

        agents.get(0).report(part, decided(1, 1)).problem(400, "invalid-request");
        project.member().get("/runs/" + run + "/order").problem(404, "not-recorded");
    }

    @Test
    void replayDefinitionNamesARunAndIsNotRecorded() {
        assertThat(validated(replay("x")))
                .containsExactly("/execution/run must be the id of a run");
        assertThat(validated(", \"execution\": \"replay\""))
                .containsExactly("/execution/run must be given");
        assertThat(validated(replay(UUID.randomUUID()) + RECORDED))
                .containsExactly(
                        "/record must be false unless the execution is real: other executions are"
                                + " deterministic");
    }

    private List<String> validated(String more) {
        return project.member().post("/experiments/validate", definition(more)).violations();
    }
}
