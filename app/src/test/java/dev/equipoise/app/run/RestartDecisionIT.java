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
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class RestartDecisionIT {

    private static final AgentEvent BROKEN =
            new Outcome.Failed(FailureCause.WORKER, "broken", "it broke");

    private static final AgentEvent UNAVAILABLE =
            new Outcome.Failed(FailureCause.WORKER, "checkpoint-unavailable", "it is gone");

    private final TestingLab lab;
    private final TestingLab.Project project;

    RestartDecisionIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Two replicas on 2,000 samples with a mini-batch size of 10: 100 rounds. */
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
        return new RunReport.Observed(
                0, RunReport.Observed.TRAINING_LOSS, 1, List.of(steps), figures, figures, 0);
    }

    private record Part(TestingAgent agent, Assignment.Training assignment) {

        void tell(AgentEvent... events) {
            agent.tell(assignment, events);
        }

        /** Stores its part of a checkpoint. */
        void storePart(int epoch) {
            putPart(epoch).expect(204);
        }

        Answer putPart(int epoch) {
            return agent.client()
                    .put(
                            "/assignments/%s/checkpoints/%d".formatted(assignment.id(), epoch),
                            TestingCheckpoints.file(assignment, epoch));
        }
    }

    private static List<Part> begin(TestingAgent... agents) {
        List<Part> parts = List.of(agents).stream().map(it -> new Part(it, it.training())).toList();
        parts.forEach(it -> it.tell(new RunReport.ReplicaReady(0, 0.002, "start")));
        return parts;
    }

    /**
     * Limits the replicas of the project: with too few no scheduling pass places its run, whichever
     * workers have left their cooldown by then.
     */
    private void allow(int replicas) {
        lab.administrator()
                .put("/projects/" + project.id() + "/quota", Map.of("replicasAtOnce", replicas))
                .expect(200);
    }

    /** Returns the number of points of each rank's loss curve. */
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
    void workerFailureRestartsTheRunOnOtherWorkersWithoutOldResults() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(5));
        List<Part> first = begin(agents.get(0), agents.get(1));
        first.forEach(it -> it.tell(losses(1L, 2L, 3L), epoch(1)));
        first.getFirst().tell(losses(101L));
        first.getLast().tell(BROKEN);

        JsonNode waiting = project.run(run);
        assertThat(waiting.path("state").stringValue()).isEqualTo("QUEUED");
        assertThat(waiting.at("/waiting/message").stringValue())
                .isEqualTo(
                        "it restarts from the beginning after a failure: rank 1 on agent-1: it broke");
        assertThat(waiting.path("setbacks").intValue()).isOne();
        assertThat(waiting.at("/setback/code").stringValue()).isEqualTo("broken");
        assertThat(waiting.path("epochs").values()).isEmpty();
        assertThat(points(run)).isEmpty();
        first.getFirst()
                .agent()
                .report(first.getFirst().assignment(), new Outcome.Finished())
                .problem(409, "stale-generation");
        assertThat(agents.get(0).lease(0).status()).as("not at once").isEqualTo(204);

        lab.advance(Duration.ofSeconds(2), agents);
        List<Part> second = begin(agents.get(0), agents.get(2));
        assertThat(second).allMatch(it -> it.assignment().generation() == 2);
        second.forEach(it -> it.tell(losses(1L, 2L), epoch(1), epoch(2), new Outcome.Finished()));

        JsonNode completed = project.run(run);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("epochs").values()).hasSize(2);
        assertThat(points(run)).containsExactly(2, 2);
    }

    @Test
    void runWithoutProgressFails() {
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
                        "rank 0 on agent-0: it broke; it was restarted 1 times in a row without progress");
    }

    @Test
    void failedWorkerCoolsDownAndTheWaitReasonSaysSo() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(5));
        begin(agents.get(0), agents.get(1)).getLast().tell(BROKEN);
        assertThat(agents.get(0).lease(0).status()).isEqualTo(204);
        lab.advance(Duration.ofSeconds(2), agents);

        Instant end =
                Instant.parse(
                        lab.administrator()
                                .get("/workers/" + agents.get(1).id())
                                .expect(200)
                                .path("coolingUntil")
                                .stringValue());
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/message").stringValue())
                        .startsWith(
                                "2 workers needed, 1 of 2 eligible workers idle, 1 in cooldown after a failure, until %s; "
                                        .formatted(end.truncatedTo(ChronoUnit.SECONDS))));
        lab.advance(Duration.ofSeconds(9), agents);
        begin(agents.get(0), agents.get(1));
    }

    /** Elastic run of three replicas with 3,000 samples in 100 rounds. */
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
        return new Outcome.Interrupted(
                0,
                new Outcome.Interrupted.RetainedPoint(position, "weights at " + position),
                List.of(missing));
    }

    @Test
    void survivorsContinueAtOnceWithNewShares() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.forEach(it -> it.tell(losses(1L), new RunReport.RoundReached(0, 1, 40)));
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
                .report(first.get(2).assignment(), new RunReport.RoundReached(0, 1, 41))
                .problem(409, "stale-generation");
        List<Part> parts =
                List.of(
                        new Part(agents.get(0), second.get(0)),
                        new Part(agents.get(1), second.get(1)));
        parts.forEach(it ->
                it.tell(
                        new RunReport.ReplicaReady(0, 0.002, "weights at " + from),
                        epochOf(1, 1385),
                        epochOf(2, 1500),
                        new Outcome.Finished()));

        JsonNode completed = project.run(run);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("epochs").values()).hasSize(2);
        assertThat(completed.path("setbacks").intValue()).isZero();
        assertThat(completed.path("generation").intValue()).isEqualTo(2);
        assertThat(completed.path("replicas").values()).hasSize(2);
    }

    private static AgentEvent epochOf(int epoch, int samples) {
        return epochOf(epoch, samples, "after " + epoch);
    }

    private static AgentEvent epochOf(int epoch, int samples, String parameters) {
        return TestingEpochs.epoch(
                epoch,
                samples,
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new EpochFinished.TestScore(0.9, 0.4),
                parameters);
    }

    @Test
    void fullyReportedEpochIsNotRepeated() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.forEach(it -> it.tell(losses(100L), epoch(1)));
        first.get(2).tell(losses(101L), BROKEN);
        first.get(0).tell(interrupted(new Position(1, 100, 3000)));
        first.get(1).tell(interrupted(new Position(1, 100, 3000)));

        assertThat(agents.get(1).training().continuation())
                .isEqualTo(new Continuation(Position.beginning(2), List.of(0, 1)));
        JsonNode continued = project.run(run);
        assertThat(continued.path("epochs").values()).hasSize(1);
        assertThat(continued.at("/progress/round").intValue()).isEqualTo(100);
        assertThat(points(run)).containsExactly(1, 1, 1);
    }

    @Test
    void lostRankIsReplacedAtTheEndOfAnEpoch() {
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
        var ready = new RunReport.ReplicaReady(0, 0.002, "weights at " + from);
        second.forEach(it -> it.tell(ready));

        lab.advance(Duration.ofSeconds(12), agents);
        await().until(() -> isAskedToSuspend(second.getFirst()));
        assertThat(agents.get(2).lease(0).status()).as("no assignment yet").isEqualTo(204);
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

    @Test
    void drainedWorkerLeavesAtTheEndOfAnEpoch() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));

        drain(agents.get(1));
        await().until(() -> isAskedToSuspend(first.getFirst()));
        var end = new Position(1, 100, 3000);
        first.forEach(it -> it.agent().report(it.assignment(), epochOf(1, 1000)));
        first.forEach(it -> it.agent().report(it.assignment(), interrupted(end)));

        assertThat(agents.get(1).lease(0).status()).as("no assignment any more").isEqualTo(204);
        assertThat(isAskedToLeave(agents.get(1))).isTrue();
        agents.get(1).client().delete("/agents/" + agents.get(1).id()).expect(204);
        List<Part> second =
                Stream.of(agents.get(0), agents.get(2))
                        .map(it -> new Part(it, it.training()))
                        .toList();
        assertThat(second)
                .extracting(Part::assignment)
                .allMatch(it -> it.generation() == 2)
                .allMatch(it ->
                        new Continuation(Position.beginning(2), List.of(0, 1))
                                .equals(it.continuation()))
                .allMatch(it -> it.plan().division().shares().equals(List.of(1500, 1500)));
        JsonNode continued = project.run(run);
        assertThat(continued.path("setbacks").intValue()).isZero();
        assertThat(continued.path("epochs").values()).hasSize(1);
        assertThat(logOf(run))
                .contains("rank 1 (agent-1) leaves the run because its worker is drained");
        second.forEach(it ->
                it.tell(
                        new RunReport.ReplicaReady(0, 0.002, "weights at " + end),
                        epochOf(2, 1500),
                        new Outcome.Finished()));
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("COMPLETED");
    }

    @Test
    void drainedWorkerWithOwnWeightsLeavesAtTheEndOfAnEpoch() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));

        drain(agents.getFirst());
        await().until(() -> isAskedToSuspend(first.getFirst()));
        first.forEach(it -> it.agent().report(it.assignment(), epochOf(1, 1000)));
        List<String> weights = List.of("a", "b", "c");
        for (int rank = 0; rank < 3; rank++) {
            Part part = first.get(rank);
            part.agent().report(part.assignment(), holds(1, weights.get(rank)));
        }

        List<Part> second =
                Stream.of(agents.get(1), agents.get(2))
                        .map(it -> new Part(it, it.training()))
                        .toList();
        assertThat(second)
                .extracting(it -> it.assignment().continuation())
                .containsOnly(new Continuation(Position.beginning(2), List.of(0, 1)));
        second.get(0).tell(ready("b"));
        second.get(1).tell(ready("c"));
        assertRuns(run, 2);
    }

    private void drain(TestingAgent agent) {
        lab.administrator().post("/workers/%s/drain".formatted(agent.id())).expect(200);
    }

    private static boolean isAskedToLeave(TestingAgent agent) {
        return agent.beat(List.of(agent)).expect(200).path("leave").booleanValue();
    }

    private static boolean isAskedToSuspend(Part part) {
        Answer answer =
                part.agent().report(part.assignment(), new RunReport.RoundReached(0, 1, 50));
        return answer.status() == 200 && answer.expect(200).path("regroup").booleanValue();
    }

    @Test
    void runRestartsFromItsLastCheckpoint() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(5));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        Assignment.Training part = first.getFirst().assignment();
        assertThat(part.checkpointing()).isEqualTo(new Checkpointing(0, 0, 1));
        first.forEach(it -> it.tell(losses(100L), epoch(1)));
        first.forEach(it -> it.storePart(1));
        first.forEach(it -> it.agent().report(it.assignment(), losses(101L)));
        first.getLast().tell(BROKEN);

        assertThat(project.run(run).at("/waiting/message").stringValue())
                .isEqualTo(
                        "it restarts from the end of epoch 1 after a failure: rank 1 on agent-1: it broke");
        assertThat(agents.get(0).lease(0).status()).isEqualTo(204);
        lab.advance(Duration.ofSeconds(12), agents);
        assertThat(agents.get(0).training().checkpointing()).isEqualTo(new Checkpointing(1, 2, 1));
        assertThat(points(run)).containsExactly(1, 1);
    }

    /** Lets both replicas report an epoch and store their parts of its checkpoint. */
    private List<Part> storeCheckpoints(int epoch, List<Part> parts) {
        parts.forEach(it -> it.agent().report(it.assignment(), epoch(epoch)).expect(204));
        parts.forEach(it -> it.storePart(epoch));
        return parts;
    }

    private static String longer(int kept) {
        return definition(5)
                .replace("\"epochs\": 2", "\"epochs\": 40")
                .replace(
                        "\"restarts\"",
                        "\"checkpoint\": {\"every\": 1, \"keep\": %d}, \"restarts\""
                                .formatted(kept));
    }

    private void assertRestartsFrom(int epoch, String run) {
        assertThat(project.run(run).path("checkpointEpoch").intValue()).isEqualTo(epoch);
        assertThat(project.run(run).at("/waiting/message").stringValue())
                .contains("restarts from the end of epoch %d after".formatted(epoch));
    }

    @Test
    void checkpointIsKeptUntilAllRanksReportedTheEpochOfANewerOne() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(longer(1));
        List<Part> parts = storeCheckpoints(1, begin(agents.toArray(TestingAgent[]::new)));
        parts.getFirst().agent().report(parts.getFirst().assignment(), epoch(2)).expect(204);
        parts.forEach(it -> it.storePart(2));
        parts.getLast().tell(BROKEN);

        assertRestartsFrom(1, run);
    }

    @Test
    void rankFarAheadOfOthersStoresNoMoreParts() {
        List<TestingAgent> agents = lab.agents(2);
        project.submitOne(longer(1));
        List<Part> parts = storeCheckpoints(1, begin(agents.toArray(TestingAgent[]::new)));
        Part fast = parts.getFirst();
        IntStream.rangeClosed(2, 17).forEach(fast::storePart);
        fast.storePart(17);

        assertThat(fast.putPart(18).problem(409, "illegal-state").path("detail").stringValue())
                .startsWith("rank 0 of run ")
                .endsWith("but at most 16 may wait: upload the part later");
        for (int epoch : List.of(2, 3, 4, 5)) {
            parts.forEach(it -> it.agent().report(it.assignment(), epoch(epoch)).expect(204));
        }
        fast.storePart(18);
        fast.storePart(19);
        assertThat(fast.putPart(20).status())
                .as("checkpoints after epochs 2 and 3 cannot be completed any more")
                .isEqualTo(409);
        parts.getLast().storePart(4);
        parts.getLast().storePart(6);
        fast.storePart(20);
        fast.storePart(20);
        assertThat(
                        project.member()
                                .get("/runs/%s/checkpoints".formatted(fast.assignment().run()))
                                .expect(200)
                                .at("/items/0/epoch")
                                .intValue())
                .isEqualTo(4);
    }

    /** Damage to a file of the service. */
    enum Damage {
        GONE {
            @Override
            void apply(Path file) throws IOException {
                Files.delete(file);
            }
        },
        DAMAGED {
            @Override
            void apply(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2] ^= 1;
                Files.write(file, bytes);
            }
        };

        abstract void apply(Path file) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void damagedCheckpointFallsBackToAnOlderOne(Damage damage) throws IOException {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(longer(2));
        List<Part> parts = begin(agents.toArray(TestingAgent[]::new));
        storeCheckpoints(1, parts);
        storeCheckpoints(2, parts);
        parts.getLast().tell(BROKEN);
        assertRestartsFrom(2, run);
        damage.apply(Path.of("target/checkpoints").resolve(run + "-2-1-1.checkpoint"));
        lab.advance(Duration.ofSeconds(12), agents);
        agents.forEach(it -> it.lease(0));
        Assignment.Training part = agents.get(0).training();
        agents.get(0)
                .client()
                .get("/assignments/%s/checkpoint/1".formatted(part.id()))
                .problem(404, "not-found");
        assertThat(logOf(run))
                .contains("part 1 of the checkpoint after epoch 2 is gone or damaged");
        agents.get(0).tell(part, UNAVAILABLE);

        assertRestartsFrom(1, run);
    }

    @Test
    void differingReplicasResumeWithTheirOwnParts() {
        List<TestingAgent> agents = lab.agents(2);
        String run =
                project.submitOne(
                        definition(5)
                                .replace(
                                        "\"restarts\"",
                                        "\"topology\": {\"kind\": \"gossip\"}, \"synchronization\":"
                                                + " {\"kind\": \"local-sgd\", \"period\": 1},"
                                                + " \"restarts\""));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.forEach(it -> {
            it.tell(epochOf(1, 1000, "those of rank " + it.assignment().rank()));
            it.storePart(1);
        });
        first.getLast().tell(BROKEN);
        assertThat(agents.get(0).lease(0).status()).isEqualTo(204);
        lab.advance(Duration.ofSeconds(12), agents);

        for (TestingAgent agent : agents) {
            Assignment.Training part = agent.training();
            agent.tell(part, new RunReport.ReplicaReady(0, 0.002, "those of rank " + part.rank()));
        }

        assertThat(project.run(run).path("state").stringValue()).isEqualTo("RUNNING");
        assertThat(project.run(run).path("generation").intValue()).isEqualTo(2);
    }

    /** The parts of two equal replicas suffice for three. */
    @Test
    void moreRanksThanStoredACheckpointResumeFromIt() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(elastic(2));
        List<Part> three = begin(agents.toArray(TestingAgent[]::new));
        var from = new Position(1, 41, 1230);
        three.get(2).tell(BROKEN);
        three.get(0).tell(interrupted(from, 2));
        three.get(1).tell(interrupted(from, 2));
        List<Part> two =
                Stream.of(agents.get(0), agents.get(1))
                        .map(it -> new Part(it, it.training()))
                        .toList();
        two.forEach(it -> it.tell(new RunReport.ReplicaReady(0, 0.002, "weights at " + from)));
        two.forEach(it -> {
            it.tell(epochOf(1, 1385));
            it.storePart(1);
        });
        allow(1);
        two.get(1).tell(BROKEN);
        two.get(0).tell(interrupted(new Position(2, 1, 30), 1));
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("QUEUED");
        agents.forEach(it -> it.lease(0));
        lab.advance(Duration.ofSeconds(18), agents);
        allow(3);

        List<Part> again = agents.stream().map(it -> new Part(it, it.training())).toList();
        assertThat(again)
                .extracting(it -> it.assignment().checkpointing())
                .containsOnly(new Checkpointing(1, 2, 1));
        again.forEach(it -> it.tell(new RunReport.ReplicaReady(0, 0.002, "after 1")));

        assertThat(project.run(run).path("state").stringValue()).isEqualTo("RUNNING");
        assertThat(project.run(run).path("replicas").values()).hasSize(3);
    }

    @Test
    void silentRankIsAwaitedForTheGracePeriodOnly() {
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
    void tooFewSurvivorsRestartTheRun() {
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
    void survivorsWithOtherWeightsRestartTheRun() {
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
    void lostWorkerRestartsTheRunOnAnotherWorker() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(definition(5));
        begin(agents.get(0), agents.get(1));
        List<TestingAgent> others = List.of(agents.get(0), agents.get(2));
        lab.advance(Duration.ofSeconds(21), others);

        await().untilAsserted(() ->
                assertThat(project.run(run).at("/setback/message").asString(""))
                        .isEqualTo("rank 1 on agent-1 was silent for 10 s"));
        lab.advance(Duration.ofSeconds(2), others);
        assertThat(agents.get(0).lease(0).status()).isIn(200, 204);
        assertThat(begin(agents.get(0), agents.get(2)))
                .extracting(it -> it.assignment().generation())
                .containsOnly(2);
    }

    /** Elastic gossip run of three replicas with 3,000 samples in 100 rounds. */
    private static String gossip() {
        return elastic(2)
                .replace(
                        "\"workers\"",
                        """
                        "synchronization": {"kind": "local-sgd", "period": 1},
                        "topology": {"kind": "gossip", "schedule": "dissemination"},
                        "workers\"\
                        """);
    }

    /** Elastic run of one server and two replicas, of which one suffices. */
    private static String served() {
        return elastic(1)
                .replace("\"replicas\": 3", "\"replicas\": 2")
                .replace(
                        "\"workers\"",
                        """
                        "synchronization": "async", "topology": "parameter-server",
                        "workers\"\
                        """);
    }

    private static AgentEvent holds(int epoch, String parameters, Integer... missing) {
        return new Outcome.Interrupted(
                0,
                new Outcome.Interrupted.RetainedPoint(new Position(epoch, 100, 3000), parameters),
                List.of(missing));
    }

    private static AgentEvent ready(String parameters) {
        return new RunReport.ReplicaReady(0, 0.002, parameters);
    }

    private String logOf(String run) {
        return project.member().text("/runs/%s/log".formatted(run)).body();
    }

    private void assertRuns(String run, int generation) {
        JsonNode there = project.run(run);
        assertThat(there.path("state").stringValue()).isEqualTo("RUNNING");
        assertThat(there.path("generation").intValue()).isEqualTo(generation);
    }

    @Test
    void ranksWithOwnWeightsCarryOnWithoutALostRankToTheEndOfTheEpoch() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.forEach(it -> it.tell(losses(1L), new RunReport.RoundReached(0, 1, 40)));
        first.get(1).tell(BROKEN);
        assertRuns(run, 1);
        lab.advance(Duration.ofSeconds(18), agents);
        first.get(0).agent().report(first.get(0).assignment(), holds(1, "a", 1)).expect(204);
        lab.advance(Duration.ofSeconds(18), agents);
        assertRuns(run, 1);
        assertThat(project.run(run).at("/progress/round").intValue()).isEqualTo(40);
        first.get(2).agent().report(first.get(2).assignment(), losses(100L), holds(1, "c", 1));

        List<Part> second =
                List.of(
                        new Part(agents.get(0), agents.get(0).training()),
                        new Part(agents.get(2), agents.get(2).training()));
        assertThat(second)
                .extracting(Part::assignment)
                .allMatch(it -> it.generation() == 2)
                .allMatch(it ->
                        new Continuation(new Position(1, 100, 3000), List.of(0, 1))
                                .equals(it.continuation()))
                .allMatch(it -> it.plan().division().shares().equals(List.of(1500, 1500)));
        second.get(0).tell(ready("a"), epochOf(1, 1000));
        second.get(1).tell(ready("c"), epochOf(1, 1000));
        second.forEach(it -> it.tell(losses(101L), epochOf(2, 1500), new Outcome.Finished()));

        JsonNode completed = project.run(run);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("epochs").values()).hasSize(2);
        assertThat(completed.path("setbacks").intValue()).isZero();
    }

    @Test
    void holderWithOtherWeightsThanItsOwnRestartsTheRun() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(2).tell(BROKEN);
        first.get(0).agent().report(first.get(0).assignment(), holds(1, "a"));
        first.get(1).agent().report(first.get(1).assignment(), holds(1, "b"));
        agents.get(0).tell(agents.get(0).training(), ready("a"));
        agents.get(1).tell(agents.get(1).training(), ready("a"));

        assertThat(project.run(run).at("/setback/code").stringValue())
                .isEqualTo("checkpoint-differs");
    }

    @Test
    void lateReportsOfALostRankAreIgnored() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        Part hung = first.get(2);
        hung.tell(losses(1L), new RunReport.RoundReached(0, 1, 1));
        List<TestingAgent> others = agents.subList(0, 2);
        lab.advance(Duration.ofSeconds(21), others);
        await().untilAsserted(() ->
                assertThat(logOf(run))
                        .contains(
                                "continues without rank 2 on agent-2 until the end of the epoch"));
        assertRuns(run, 1);

        TestingLab.beat(agents);
        for (AgentEvent late :
                List.of(
                        new RunReport.RoundReached(0, 1, 50),
                        losses(2L),
                        epoch(1),
                        holds(1, "late", 0, 1),
                        new Outcome.Finished(),
                        BROKEN)) {
            hung.agent().report(hung.assignment(), late).problem(409, "stale-generation");
        }

        assertRuns(run, 1);
        assertThat(points(run)).containsExactly(1);
        assertThat(hung.agent().lease(0).status()).as("no assignment of the run").isEqualTo(204);
        first.get(0).agent().report(first.get(0).assignment(), holds(1, "a", 2));
        first.get(1).agent().report(first.get(1).assignment(), holds(1, "b", 2));
        assertThat(agents.get(0).training().continuation())
                .isEqualTo(new Continuation(new Position(1, 100, 3000), List.of(0, 1)));
    }

    @Test
    void agentThatLostItsAssignmentIsLostOnceAndFree() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        assertThat(agents.get(2).lease(0).status()).isEqualTo(204);
        assertThat(agents.get(2).lease(0).status()).isEqualTo(204);

        assertThat(logOf(run).lines().filter(it -> it.contains("is lost"))).hasSize(1);
        assertRuns(run, 1);
        assertThat(isAskedToSuspend(first.getFirst()))
                .as("ranks that have not lost it suspend as well")
                .isTrue();
    }

    @Test
    void tooFewRanksDoNotCarryOn() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(1).tell(BROKEN);
        assertRuns(run, 1);
        first.get(2).tell(BROKEN);

        JsonNode waiting = project.run(run);
        assertThat(waiting.path("state").stringValue()).isEqualTo("QUEUED");
        assertThat(waiting.at("/setback/message").stringValue())
                .isEqualTo("rank 1 on agent-1: it broke");
        first.getFirst()
                .agent()
                .report(first.getFirst().assignment(), holds(1, "a", 1, 2))
                .problem(409, "stale-generation");
    }

    @Test
    void lostServerRestartsTheRunAndLostReplicaDoesNot() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(served());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(2).tell(BROKEN);
        assertRuns(run, 1);
        first.get(0).agent().report(first.get(0).assignment(), holds(1, "s", 2));
        first.get(1).agent().report(first.get(1).assignment(), holds(1, "r", 2));
        Assignment.Training server = agents.get(0).training();
        assertThat(server.plan().division().shares()).containsExactly(0, 3000);
        agents.get(0).tell(server, ready("s"));
        agents.get(1).tell(agents.get(1).training(), ready("r"));
        assertRuns(run, 2);
        agents.get(0).tell(server, BROKEN);

        assertThat(project.run(run).path("state").stringValue()).isEqualTo("QUEUED");
    }

    @Test
    void restartedRunContinuesWithFewerReplicasAndScalesUpLater() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(served());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(0).tell(epochOf(1, 0));
        first.subList(1, 3).forEach(it -> it.tell(epochOf(1, 1500)));
        first.forEach(it -> it.storePart(1));
        first.get(0).tell(BROKEN);
        List<TestingAgent> left = agents.subList(1, 3);
        left.forEach(it -> it.lease(0));
        lab.advance(Duration.ofSeconds(3), agents);

        List<Part> second = left.stream().map(it -> new Part(it, it.training())).toList();
        assertThat(second)
                .extracting(Part::assignment)
                .allMatch(it -> it.generation() == 2)
                .allMatch(it -> it.plan().division().shares().equals(List.of(0, 3000)))
                .allMatch(it -> new Checkpointing(1, 3, 1).equals(it.checkpointing()));
        second.forEach(it -> it.tell(ready("after 1")));
        assertRuns(run, 2);
        lab.advance(Duration.ofSeconds(9), agents);
        await().until(() -> isAskedToSuspend(second.getFirst()));
    }

    @Test
    void restartedRunStaysWithinTheCurrentQuota() {
        List<TestingAgent> agents = lab.agents(3);
        project.submitOne(served());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        allow(1);
        first.getFirst().tell(BROKEN);
        agents.forEach(it -> it.lease(0));
        lab.advance(Duration.ofSeconds(18), agents);
        allow(2);

        assertThat(agents.subList(0, 2))
                .extracting(TestingAgent::training)
                .allMatch(it -> it.generation() == 2 && it.peers().size() == 2);
        assertThat(agents.get(2).lease(0).status()).isEqualTo(204);
    }

    @Test
    void runCompletesWithoutRanksLostAfterOthersFinished() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.forEach(it -> it.tell(epoch(1)));
        first.get(0).tell(epoch(2), new Outcome.Finished());
        first.get(1).tell(BROKEN);
        assertRuns(run, 1);
        first.get(2).agent().report(first.get(2).assignment(), holds(2, "c", 1));

        JsonNode completed = project.run(run);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("epochs").values()).hasSize(2);
    }

    @Test
    void runCompletesThoughARankWasLostBeforeItReportedReady() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> parts = agents.stream().map(it -> new Part(it, it.training())).toList();
        for (Part part : parts.subList(0, 2)) {
            part.tell(ready("start"), epoch(1), epoch(2), new Outcome.Finished());
        }
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("PREPARING");
        parts.get(2).tell(BROKEN);

        JsonNode completed = project.run(run);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("epochs").values()).hasSize(2);
    }

    @Test
    void epochReportedByAllSurvivorsIsNotRepeated() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(2).tell(BROKEN);
        first.subList(0, 2).forEach(it -> it.agent().report(it.assignment(), epoch(1)));
        first.get(0).agent().report(first.get(0).assignment(), holds(1, "a"));
        first.get(1).agent().report(first.get(1).assignment(), holds(1, "b"));

        assertThat(agents.get(0).training().continuation())
                .isEqualTo(new Continuation(Position.beginning(2), List.of(0, 1)));
        assertThat(project.run(run).path("epochs").values()).hasSize(1);
    }

    @Test
    void carriedOnRunGetsAnotherRankAtTheEndOfAnEpoch() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(2).tell(BROKEN);
        first.get(0).agent().report(first.get(0).assignment(), holds(1, "a"));
        first.get(1).agent().report(first.get(1).assignment(), holds(1, "b"));
        List<Part> second =
                List.of(
                        new Part(agents.get(0), agents.get(0).training()),
                        new Part(agents.get(1), agents.get(1).training()));
        second.get(0).tell(ready("a"));
        second.get(1).tell(ready("b"));
        lab.advance(Duration.ofSeconds(12), agents);
        await().until(() -> isAskedToSuspend(second.getFirst()));
        second.forEach(it -> it.agent().report(it.assignment(), epochOf(1, 1000)));
        second.get(0).agent().report(second.get(0).assignment(), holds(1, "a"));
        second.get(1).agent().report(second.get(1).assignment(), holds(1, "b"));

        List<Assignment.Training> third = agents.stream().map(TestingAgent::training).toList();
        assertThat(third)
                .allMatch(it ->
                        new Continuation(Position.beginning(2), List.of(0, 1))
                                .equals(it.continuation()))
                .allMatch(it -> it.plan().division().shares().equals(List.of(1000, 1000, 1000)));
        agents.get(0).tell(third.get(0), ready("a"));
        agents.get(1).tell(third.get(1), ready("b"));
        agents.get(2).tell(third.get(2), ready("a"));
        assertRuns(run, 3);
    }

    @Test
    void readyRanksStartWithoutARankThatIsLostBefore() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(gossip());
        List<Part> parts = agents.stream().map(it -> new Part(it, it.training())).toList();
        parts.get(0).tell(ready("start"));
        parts.get(1).tell(ready("start"));
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("PREPARING");
        parts.get(2).tell(BROKEN);

        assertRuns(run, 1);
        assertThat(isAskedToSuspend(parts.getFirst())).isTrue();
    }

    /**
     * The remaining rank is compared with its own retained state, not with that of the lost one.
     */
    @Test
    void survivorOfRankZeroContinuesWithItsOwnWeights() {
        List<TestingAgent> agents = lab.agents(4);
        String run =
                project.submitOne(
                        gossip().replace("\"replicas\": 3", "\"replicas\": 4")
                                .replace("\"limit\": 3000", "\"limit\": 4000"));
        List<Part> first = begin(agents.toArray(TestingAgent[]::new));
        first.get(3).tell(BROKEN);
        for (Part part : first.subList(0, 3)) {
            String own = "of rank " + part.assignment().rank();
            part.agent()
                    .report(
                            part.assignment(),
                            new Outcome.Interrupted(
                                    0,
                                    new Outcome.Interrupted.RetainedPoint(
                                            new Position(1, 100, 4000), own),
                                    List.of()));
        }
        agents.get(0).tell(agents.get(0).training(), BROKEN);
        agents.get(1).tell(agents.get(1).training(), ready("of rank 1"));
        agents.get(2).report(agents.get(2).training(), ready("of rank 2")).expect(200);

        assertRuns(run, 2);
        assertThat(project.run(run).path("setbacks").intValue()).isZero();
    }
}
