package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Replicas that should be equal and differ, since their processors round differently. */
@RunningService
class MixedProcessorsIT {

    private static final AgentEvent BROKEN =
            new Outcome.Failed(FailureCause.WORKER, "broken", "it broke");

    private static final Position FROM = new Position(1, 41, 1230);

    /** Elastic run of three replicas with 3,000 samples in 100 rounds. */
    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "run",
             "dataset": {"name": "mnist", "limit": 3000},
             "network": {"layers": ["flatten", {"dense": 10}]},
             "training": {"epochs": 3, "batchSize": 10},
             "workers": {"replicas": 3, "minimum": 2}}
            """;

    private final TestingLab lab;
    private final TestingLab.Project project;

    MixedProcessorsIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private record Part(TestingAgent agent, Assignment.Training assignment) {

        int rank() {
            return assignment.rank();
        }

        void tell(AgentEvent... events) {
            agent.tell(assignment, events);
        }

        void storePart(int epoch) {
            agent.client()
                    .put(
                            "/assignments/%s/checkpoints/%d".formatted(assignment.id(), epoch),
                            TestingCheckpoints.file(assignment, epoch))
                    .expect(204);
        }
    }

    /** Registers agents that see one another, each with a processor. */
    private List<TestingAgent> agents(String... instructionSets) {
        List<TestingAgent> agents =
                Stream.of(instructionSets)
                        .map(it -> lab.join(registration("agent-" + it, it)))
                        .toList();
        TestingLab.beat(agents);
        return agents;
    }

    private static Registration registration(String name, String instructionSet) {
        return new Registration(
                name,
                new HostDescription(
                        "host", 8, 2, 1L << 34, "Linux amd64", "oneDNN", 1, "Xeon", instructionSet),
                name + ":5701",
                Map.of(),
                Credential.random(new SecureRandom()));
    }

    /** Leases the parts of all agents, in rank order. */
    private static List<Part> lease(List<TestingAgent> agents) {
        return agents.stream()
                .map(it -> new Part(it, it.training()))
                .sorted(Comparator.comparingInt(Part::rank))
                .toList();
    }

    private static ReplicaReady ready(String parameters) {
        return new ReplicaReady(0, 0.002, parameters);
    }

    private static ReplicaReady replaced(String parameters) {
        return new ReplicaReady(0, 0.002, parameters, new ReplicaDistance(0, 2e-6, 2e-7));
    }

    private static EpochFinished epoch(int epoch, String parameters) {
        return TestingEpochs.epoch(
                epoch,
                1000,
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new EpochFinished.TestScore(0.9, 0.4),
                parameters);
    }

    /** Lets all ranks report an epoch after which the last rank differs. */
    private static void endEpoch(int epoch, List<Part> parts) {
        parts.subList(0, parts.size() - 1)
                .forEach(it ->
                        it.tell(TestingEpochs.besideDiffering(1e-7, epoch(epoch, "of the first"))));
        parts.getLast()
                .tell(TestingEpochs.differing("of the last", 1e-7, epoch(epoch, "of the first")));
    }

    private static AgentEvent interrupted(String parameters) {
        return new Outcome.Interrupted(0, new RetainedPoint(FROM, parameters), List.of());
    }

    private List<String> log(String run, String contained) {
        return project.member()
                .text("/runs/" + run + "/log")
                .body()
                .lines()
                .filter(it -> it.contains(contained))
                .toList();
    }

    /** Describes a rank as the log does. */
    private String described(String run, int rank) {
        JsonNode replica = project.run(run).path("replicas").path(rank);
        return "rank %d on %s (%s)"
                .formatted(
                        rank,
                        replica.path("workerName").stringValue(),
                        replica.path("processor").stringValue());
    }

    @Test
    void distanceIsToldWithWorkersAndProcessors() {
        List<TestingAgent> agents = agents("AVX512_CORE", "AVX2", "SSE41");
        String run = project.submitOne(DEFINITION);
        List<Part> parts = lease(agents);
        parts.forEach(it -> it.tell(ready("start")));
        endEpoch(1, parts);
        endEpoch(2, parts);

        JsonNode view = project.run(run);
        assertThat(view.path("replicasIdentical").booleanValue()).isFalse();
        assertThat(view.at("/epochs/0/distance/absolute").doubleValue()).isEqualTo(5e-7);
        assertThat(view.at("/epochs/0/ranks/2/difference/relative").doubleValue()).isEqualTo(1e-7);
        assertThat(view.at("/epochs/0/ranks/1/difference").isNull()).isTrue();
        assertThat(
                        view.path("replicas")
                                .valueStream()
                                .map(it -> it.path("processor").stringValue()))
                .containsExactlyInAnyOrder("Xeon, AVX512_CORE", "Xeon, AVX2", "Xeon, SSE41");
        assertThat(view.path("replicas").valueStream().map(it -> it.path("backend").stringValue()))
                .containsOnly("oneDNN");
        assertThat(log(run, "replicas differ"))
                .as("told once, as the same rank differs after the next epoch")
                .singleElement()
                .asString()
                .endsWith(
                        "replicas differ after epoch 1 from that of %s: %s is 1.00e-06 away, 1.00e-07 of the norm"
                                .formatted(described(run, 0), described(run, 2)));
    }

    @Test
    void survivorsContinueWithTheWeightsOfTheFirst() {
        List<TestingAgent> agents = agents("AVX512_CORE", "AVX2", "SSE41");
        String run = project.submitOne(DEFINITION);
        List<Part> first = lease(agents);
        first.forEach(it -> it.tell(ready("start")));
        first.get(2).tell(BROKEN);
        first.get(0).tell(interrupted("of the first"));
        first.get(1).tell(interrupted("of the second"));

        List<Part> second = lease(List.of(first.get(0).agent(), first.get(1).agent()));

        assertThat(second)
                .extracting(it -> it.assignment().continuation())
                .containsOnly(new Continuation(FROM, List.of(0)));
        second.get(0).tell(ready("of the first"));
        second.get(1).tell(replaced("of the first"));
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("RUNNING");
        assertThat(project.run(run).at("/replicas/1/replaced/absolute").doubleValue())
                .isEqualTo(2e-6);
        assertThat(log(run, "all ranks begin"))
                .singleElement()
                .asString()
                .endsWith(
                        "all ranks begin with the weights of %s: %s was 2.00e-06 away, 2.00e-07 of the norm"
                                .formatted(described(run, 0), described(run, 1)));
    }

    /** Restarts a run from a checkpoint after an epoch in which the last replica differed. */
    private List<Part> restarted(List<TestingAgent> agents) {
        List<Part> first = lease(agents);
        first.forEach(it -> it.tell(ready("start")));
        endEpoch(1, first);
        first.forEach(it -> it.storePart(1));
        first.getLast().tell(BROKEN);
        first.getFirst().agent().lease(0);
        first.get(1).agent().lease(0);
        lab.advance(Duration.ofSeconds(12), agents);
        return lease(agents);
    }

    /** Restarts after any loss. */
    private static String rigid() {
        return DEFINITION.replace(", \"minimum\": 2", "");
    }

    @Test
    void checkpointOfReplicasThatDifferedIsResumed() {
        List<TestingAgent> agents = agents("AVX512_CORE", "AVX2", "SSE41");
        String run = project.submitOne(rigid());
        List<Part> second = restarted(agents);

        second.forEach(it -> it.tell(ready("of the first")));

        assertThat(project.run(run).path("state").stringValue()).isEqualTo("RUNNING");
        assertThat(log(run, "all ranks begin"))
                .singleElement()
                .asString()
                .endsWith(
                        "all ranks begin with the weights of rank 0: rank 2 was 1.00e-06 away, 1.00e-07 of the norm");
    }

    @Test
    void weightsOfAnotherRankThanTheFirstAreRejected() {
        List<TestingAgent> agents = agents("AVX512_CORE", "AVX2", "SSE41");
        String run = project.submitOne(rigid());
        List<Part> second = restarted(agents);

        second.forEach(it -> it.agent().report(it.assignment(), ready("of the last")));

        assertThat(project.run(run).at("/setback/code").stringValue())
                .isEqualTo("checkpoint-differs");
    }

    @Test
    void distanceFromARankThatTheRunDoesNotHaveIsRejected() {
        List<TestingAgent> agents = agents("AVX512_CORE", "AVX2", "SSE41");
        project.submitOne(DEFINITION);
        Part part = lease(agents).getFirst();
        var impossible = new ReplicaReady(0, 0.002, "start", new ReplicaDistance(3, 1, 1));

        part.agent().report(part.assignment(), impossible).problem(400, "invalid-request");
    }
}
