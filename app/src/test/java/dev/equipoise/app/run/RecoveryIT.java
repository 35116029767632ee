package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class RecoveryIT {

    private static final AgentEvent BROKEN =
            new AgentEvent.Failed(FailureCause.WORKER, "broken", "it broke");

    private final TestingLab lab;
    private final TestingLab.Project project;

    RecoveryIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Two replicas on 2000 samples, ten a replica and round: 100 rounds. */
    private static String definition(int restarts) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 2000},
         "network": {"layers": ["flatten", {"dense": 10}]},
         "training": {"epochs": 2, "batchSize": 10}, "workers": {"replicas": 2},
         "restarts": %d}
        """
                .formatted(restarts);
    }

    private static AgentEvent epoch(int epoch) {
        return epochOf(epoch, 1000);
    }

    private static AgentEvent losses(Long... steps) {
        List<Double> figures = List.of(steps).stream().map(Long::doubleValue).toList();
        return new AgentEvent.Observed(
                0, AgentEvent.Observed.TRAINING_LOSS, 1, List.of(steps), figures, figures, 0);
    }

    private record Part(TestingAgent agent, Assignment.Training assignment) {

        void tell(AgentEvent... events) {
            agent.tell(assignment, events);
        }
    }

    private static List<Part> begin(TestingAgent... agents) {
        List<Part> parts = List.of(agents).stream().map(it -> new Part(it, it.training())).toList();
        parts.forEach(it -> it.tell(new AgentEvent.ReplicaReady(0, 0.002, "start")));
        return parts;
    }

    /** How many points the loss curves of the ranks have. */
    private List<Integer> points(String run) {
        return project.member()
                .get("/runs/%s/metrics".formatted(run))
                .expect(200)
                .path("items")
                .valueStream()
                .filter(it -> it.path("name").stringValue().equals("train/loss"))
                .map(it -> it.path("points").intValue())
                .toList();
    }

    @Test
    void aRunWhoseWorkerFailsBeginsAnewOnOthersAndKeepsNothingOfWhatItDoesAgain() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(5));
        List<Part> first = begin(agents.get(0), agents.get(1));
        first.forEach(it -> it.tell(losses(1L, 2L, 3L), epoch(1)));
        first.getFirst().tell(losses(101L));
        first.getLast().tell(BROKEN);

        JsonNode waiting = project.run(run);
        assertThat(waiting.path("state").stringValue()).isEqualTo("QUEUED");
        assertThat(waiting.at("/waiting/message").stringValue())
                .isEqualTo("it was set back, as rank 1 on agent-1: it broke, and begins anew");
        assertThat(waiting.path("setbacks").intValue()).isOne();
        assertThat(waiting.at("/setback/code").stringValue()).isEqualTo("broken");
        assertThat(waiting.path("epochs").values()).isEmpty();
        assertThat(points(run)).isEmpty();
        first.getFirst()
                .agent()
                .report(first.getFirst().assignment(), new AgentEvent.Finished())
                .problem(409, "stale-generation");
        assertThat(agents.get(0).lease(0).status()).as("not at once").isEqualTo(204);

        lab.advance(Duration.ofSeconds(2), agents);
        List<Part> second = begin(agents.get(0), agents.get(2));
        assertThat(second).allMatch(it -> it.assignment().generation() == 2);
        second.forEach(
                it -> it.tell(losses(1L, 2L), epoch(1), epoch(2), new AgentEvent.Finished()));

        JsonNode completed = project.run(run);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("epochs").values()).hasSize(2);
        assertThat(points(run)).containsExactly(2, 2);
    }

    @Test
    void aRunThatGetsNoFurtherIsGivenUp() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(1));
        begin(agents.get(0), agents.get(1)).getFirst().tell(BROKEN);
        assertThat(agents.get(1).lease(0).status()).isEqualTo(204);
        lab.advance(Duration.ofSeconds(10), agents);
        begin(agents.get(0), agents.get(1)).getFirst().tell(BROKEN);

        JsonNode failed = project.run(run);
        assertThat(failed.path("state").stringValue()).isEqualTo("FAILED");
        assertThat(failed.at("/failure/message").stringValue())
                .isEqualTo(
                        "rank 0 on agent-0: it broke; it was placed anew 1 times in a row and got no further");
    }

    @Test
    void aWorkerThatFailedIsGivenNothingForAWhileAndTheRunSaysSo() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(5));
        begin(agents.get(0), agents.get(1)).getLast().tell(BROKEN);
        assertThat(agents.get(0).lease(0).status()).isEqualTo(204);
        lab.advance(Duration.ofSeconds(2), agents);

        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/message").stringValue())
                        .startsWith(
                                "2 workers are wanted, and 1 of 2 are idle, as 1 that failed is given nothing for a while; "));
        assertThat(
                        lab.administrator()
                                .get("/workers/" + agents.get(1).id())
                                .expect(200)
                                .path("coolingUntil")
                                .isNull())
                .isFalse();
        lab.advance(Duration.ofSeconds(9), agents);
        begin(agents.get(0), agents.get(1));
    }

    /** Three replicas that go on as two, 3000 samples in 100 rounds. */
    private static String elastic(int minimum) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"layers": ["flatten", {"dense": 10}]},
         "training": {"epochs": 2, "batchSize": 10},
         "workers": {"replicas": 3, "minimum": %d}}
        """
                .formatted(minimum);
    }

    private static AgentEvent interrupted(Position position, Integer... missing) {
        return new AgentEvent.Interrupted(
                0,
                new AgentEvent.Interrupted.Held(position, "weights at " + position),
                List.of(missing));
    }

    @Test
    void ranksThatLoseOneGoOnAtOnceWithNewShares() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.forEach(it -> it.tell(losses(1L), new AgentEvent.RoundReached(0, 1, 40)));
        first.get(0).tell(losses(41L));
        var from = new Position(1, 41, 1230);
        first.get(0).tell(interrupted(from, 2));
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("RUNNING");
        assertThat(agents.get(0).lease(0).status()).as("kept for the run").isEqualTo(204);
        first.get(1).tell(interrupted(new Position(1, 40, 1200), 2));

        List<Assignment.Training> second =
                List.of(agents.get(0).training(), agents.get(1).training());

        assertThat(second).allMatch(it -> it.generation() == 2);
        assertThat(second)
                .allMatch(it ->
                        new Continuation(from, List.of(0)).equals(it.continuation())
                                && it.plan().division().shares().equals(List.of(1500, 1500))
                                && it.plan().division().rounds() == 100);
        first.get(2)
                .agent()
                .report(first.get(2).assignment(), new AgentEvent.RoundReached(0, 1, 41))
                .problem(409, "stale-generation");
        List<Part> parts =
                List.of(
                        new Part(agents.get(0), second.get(0)),
                        new Part(agents.get(1), second.get(1)));
        parts.forEach(it ->
                it.tell(
                        new AgentEvent.ReplicaReady(0, 0.002, "weights at " + from),
                        epochOf(1, 1385),
                        epochOf(2, 1500),
                        new AgentEvent.Finished()));

        JsonNode completed = project.run(run);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("epochs").values()).hasSize(2);
        assertThat(completed.path("setbacks").intValue()).isZero();
        assertThat(completed.path("generation").intValue()).isEqualTo(2);
        assertThat(completed.path("replicas").values()).hasSize(2);
    }

    private static AgentEvent epochOf(int epoch, int samples) {
        return TestingEpochs.epoch(
                epoch,
                samples,
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new AgentEvent.Evaluated(0.9, 0.4),
                "after " + epoch);
    }

    @Test
    void anEpochThatAllHaveToldIsNotDoneAgain() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.forEach(it -> it.tell(losses(100L), epoch(1)));
        first.get(2).tell(losses(101L), BROKEN);
        first.get(0).tell(interrupted(new Position(1, 100, 3000)));
        first.get(1).tell(interrupted(new Position(1, 100, 3000)));

        assertThat(agents.get(1).training().continuation())
                .isEqualTo(new Continuation(Position.beginning(2), List.of(0, 1)));
        JsonNode goesOn = project.run(run);
        assertThat(goesOn.path("epochs").values()).hasSize(1);
        assertThat(goesOn.at("/progress/round").intValue()).isEqualTo(100);
        assertThat(points(run)).containsExactly(1, 1, 1);
    }

    @Test
    void aRunThatHasLostARankGetsAnotherAtTheEndOfAnEpoch() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        var from = new Position(1, 41, 1230);
        first.get(2).tell(BROKEN);
        first.get(0).tell(interrupted(from));
        first.get(1).tell(interrupted(from));
        List<Part> second =
                List.of(
                        new Part(agents.get(0), agents.get(0).training()),
                        new Part(agents.get(1), agents.get(1).training()));
        var ready = new AgentEvent.ReplicaReady(0, 0.002, "weights at " + from);
        second.forEach(it -> it.tell(ready));

        lab.advance(Duration.ofSeconds(12), agents);
        await().until(() -> isAskedToStand(second.getFirst()));
        assertThat(agents.get(2).lease(0).status()).as("no part yet").isEqualTo(204);
        var end = new Position(1, 100, 3000);
        second.forEach(it -> it.agent().report(it.assignment(), epochOf(1, 1385)));
        second.forEach(it -> it.agent().report(it.assignment(), interrupted(end)));

        List<Assignment.Training> third = agents.stream().map(TestingAgent::training).toList();
        assertThat(third)
                .allMatch(it -> it.generation() == 3)
                .allMatch(it ->
                        new Continuation(Position.beginning(2), List.of(0, 1))
                                .equals(it.continuation()))
                .allMatch(it -> it.plan().division().shares().equals(List.of(1000, 1000, 1000)));
        assertThat(project.run(run).path("epochs").values()).hasSize(1);
    }

    private static boolean isAskedToStand(Part part) {
        Answer answer =
                part.agent().report(part.assignment(), new AgentEvent.RoundReached(0, 1, 50));
        return answer.status() == 200 && answer.expect(200).path("regroup").booleanValue();
    }

    @Test
    void aRunIsSetBackToItsLastCheckpoint() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(5));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        Assignment.Training part = first.getFirst().assignment();
        assertThat(part.checkpointing()).isEqualTo(new Checkpointing(0, 1));
        first.forEach(it -> it.tell(losses(100L), epoch(1)));
        var header =
                new CheckpointHeader(
                        part.run(), 1, 1, 2, part.plan().network().parameterCount(), 0);
        first.getFirst()
                .agent()
                .client()
                .put(
                        "/assignments/%s/checkpoints/1".formatted(part.id()),
                        TestingCheckpoints.file(header))
                .expect(204);
        first.forEach(it -> it.agent().report(it.assignment(), losses(101L)));
        first.getLast().tell(BROKEN);

        assertThat(project.run(run).at("/waiting/message").stringValue())
                .isEqualTo(
                        "it was set back, as rank 1 on agent-1: it broke, and goes on after epoch 1");
        assertThat(agents.get(0).lease(0).status()).isEqualTo(204);
        lab.advance(Duration.ofSeconds(12), agents);
        assertThat(agents.get(0).training().checkpointing()).isEqualTo(new Checkpointing(1, 1));
        assertThat(points(run)).containsExactly(1, 1);
    }

    @Test
    void whoSaysNothingIsNotWaitedForForEver() {
        List<TestingAgent> agents = lab.agents(3);
        project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        var from = new Position(1, 41, 1230);
        first.get(0).tell(interrupted(from));
        first.get(1).tell(interrupted(from));
        lab.advance(Duration.ofSeconds(11), agents);

        assertThat(agents.get(1).training().continuation())
                .isEqualTo(new Continuation(from, List.of(0, 1)));
    }

    @Test
    void tooFewGoBackToTheQueue() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(1).tell(BROKEN);
        first.get(0).tell(interrupted(new Position(1, 41, 1230), 1, 2));

        JsonNode waiting = project.run(run);
        assertThat(waiting.path("state").stringValue()).isEqualTo("QUEUED");
        assertThat(waiting.at("/setback/message").stringValue())
                .isEqualTo("rank 1 on agent-1: it broke");
    }

    @Test
    void ranksThatGoOnWithOtherWeightsSetTheRunBack() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(2).tell(BROKEN);
        first.get(0).tell(interrupted(new Position(1, 41, 1230)));
        first.get(1).tell(interrupted(new Position(1, 41, 1230)));
        begin(agents.get(0), agents.get(1));

        assertThat(project.run(run).at("/setback/code").stringValue())
                .isEqualTo("checkpoint-differs");
    }

    @Test
    void aLostWorkerSetsItsRunBackAndAnotherTakesItsPlace() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(5));
        begin(agents.get(0), agents.get(1));
        List<TestingAgent> others = List.of(agents.get(0), agents.get(2));
        lab.advance(Duration.ofSeconds(12), others);

        await().untilAsserted(() ->
                assertThat(project.run(run).at("/setback/message").asString(""))
                        .isEqualTo("rank 1 on agent-1 was silent for 10 s"));
        lab.advance(Duration.ofSeconds(2), others);
        assertThat(agents.get(0).lease(0).status()).isIn(200, 204);
        assertThat(begin(agents.get(0), agents.get(2)))
                .extracting(it -> it.assignment().generation())
                .containsOnly(2);
    }
}
