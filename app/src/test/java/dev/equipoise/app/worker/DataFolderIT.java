package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.SoftwareVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Tests what the service does with the data folders that agents report. */
@RunningService
class DataFolderIT {

    private final TestingLab lab;
    private final TestingLab.Project project;

    DataFolderIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String definition(String folder, int replicas) {
        return """
        {"apiVersion": "equipoise/v1", "name": "own",
         "dataset": {"name": "csv", "folder": "%s", "features": 4, "classes": 3, "samples": 90},
         "network": {"layers": [{"dense": 3}]}, "training": {"epochs": 1, "batchSize": 10},
         "workers": {"replicas": %d}}
        """
                .formatted(folder, replicas);
    }

    /** Registers an agent that reports these data folders. */
    private TestingAgent join(String name, List<String> folders) {
        return join(name, ProtocolVersion.OWN, folders);
    }

    private TestingAgent join(
            String name, @Nullable ProtocolVersion protocol, @Nullable List<String> folders) {
        Registration plain = TestingLab.registration(name);
        return lab.join(
                new Registration(
                        plain.name(),
                        plain.host(),
                        plain.clusterAddress(),
                        plain.labels(),
                        plain.credential(),
                        SoftwareVersion.OWN,
                        null,
                        protocol,
                        folders));
    }

    private Answer submit(String definition) {
        String experiment = project.define(definition).path("id").stringValue();
        return project.member().post("/experiments/" + experiment + "/runs");
    }

    private JsonNode worker(TestingAgent agent) {
        return lab.administrator().get("/workers/" + agent.id()).expect(200);
    }

    private void assertWaits(String run, String code, String message) {
        await().untilAsserted(() -> {
            JsonNode waiting = project.run(run).path("waiting");
            assertThat(waiting.path("code").stringValue("")).isEqualTo(code);
            assertThat(waiting.path("message").stringValue("")).startsWith(message);
        });
    }

    @Test
    void definitionWithAFolderThatNoWorkerKnowsIsRefused() {
        TestingLab.beat(List.of(join("north", List.of("flowers")), join("south", List.of())));

        Answer refused = submit(definition("flowres", 2));

        refused.problem(400, "invalid-definition");
        assertThat(refused.violations())
                .containsExactly(
                        "/dataset/folder must be a data folder of a worker: no worker knows the"
                                + " folder flowres; known are flowers");
        assertThat(project.member().get("/runs").expect(200).path("items")).isEmpty();
    }

    @Test
    void runWaitsForItsFolderWhileThereIsNoWorker() {
        String run = project.submitOne(definition("flowers", 1));
        assertWaits(
                run, "unsatisfiable", "1 workers needed with the data folder flowers, 0 available");

        TestingAgent agent = join("north", List.of("flowers"));
        TestingLab.beat(List.of(agent));

        assertThat(agent.training().run()).hasToString(run);
    }

    @Test
    void runGetsTheWorkersWithItsFolder() {
        TestingAgent without = join("north", List.of("birds"));
        TestingAgent with = join("south", List.of("birds", "flowers"));
        List<TestingAgent> agents = List.of(without, with);
        TestingLab.beat(agents);
        String run = project.submitOne(definition("flowers", 2));
        assertWaits(
                run, "unsatisfiable", "2 workers needed with the data folder flowers, 1 available");

        without.beat(agents, List.of("flowers")).expect(200);

        assertThat(worker(without).path("folders").toString()).isEqualTo("[\"flowers\"]");
        assertThat(with.training().workers()).containsExactlyInAnyOrder("north", "south");
        assertThat(without.training().workers()).containsExactlyInAnyOrder("north", "south");
    }

    /** An agent of protocol 0.1 reports no folders, and cannot compare its data and weights. */
    @Test
    void runWithAnAgentOfAnEarlierVersionComparesNothing() {
        TestingAgent earlier = join("north", null, null);
        TestingAgent other = join("south", List.of("flowers"));
        TestingLab.beat(List.of(earlier, other));
        var _ = project.submitOne(definition("flowers", 2));

        assertThat(earlier.training().workers()).isNull();
        assertThat(other.training().workers()).isNull();
        assertThat(worker(earlier).path("folders").isNull()).isTrue();
    }

    @Test
    void agentThatCannotReadItsFoldersComparesItsData() {
        TestingAgent unread = join("north", ProtocolVersion.OWN, null);
        TestingAgent other = join("south", List.of("flowers"));
        TestingLab.beat(List.of(unread, other));
        var _ = project.submitOne(definition("flowers", 2));

        assertThat(unread.training().workers()).containsExactlyInAnyOrder("north", "south");
    }

    @Test
    void ranksWithDifferentDataFailTheRunBeforeAnyEpoch() {
        List<TestingAgent> agents =
                List.of(join("north", List.of("flowers")), join("south", List.of("flowers")));
        TestingLab.beat(agents);
        String run = project.submitOne(definition("flowers", 2));
        List<Assignment.Training> parts = agents.stream().map(TestingAgent::training).toList();
        String message =
                "the ranks have read different data; copy the same files to all workers: training inputs: flowers/train.csv (2700 bytes) with digest 5d41402abc4b2a76 on rank 0 (north), flowers/train.csv (2711 bytes) with digest 7d793037a0760186 on rank 1 (south)";

        agents.getFirst()
                .tell(
                        parts.getFirst(),
                        new Outcome.Failed(FailureCause.USER, "dataset-differs", message));

        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo("FAILED"));
        JsonNode failed = project.run(run);
        assertThat(failed.at("/failure/cause").stringValue("")).isEqualTo("user");
        assertThat(failed.at("/failure/code").stringValue("")).isEqualTo("dataset-differs");
        assertThat(failed.at("/failure/message").stringValue("")).endsWith(message);
        assertThat(failed.path("epochs")).isEmpty();
        assertThat(failed.path("generation").intValue()).isEqualTo(1);
        for (TestingAgent agent : agents) {
            assertThat(worker(agent).path("coolingUntil").isNull()).isTrue();
        }
    }

    @Test
    void vanishedFolderFailsTheRunAtOnceAndCoolsNoWorker() {
        TestingAgent agent = join("north", List.of("flowers"));
        TestingLab.beat(List.of(agent));
        String run = project.submitOne(definition("flowers", 1));
        Assignment.Training part = agent.training();

        agent.tell(
                part,
                new Outcome.Failed(
                        FailureCause.USER,
                        "dataset-unavailable",
                        "this worker does not have the data folder flowers"));

        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo("FAILED"));
        assertThat(project.run(run).at("/failure/cause").stringValue("")).isEqualTo("user");
        assertThat(project.run(run).at("/failure/message").stringValue(""))
                .startsWith("rank 0 on north: this worker does not have the data folder flowers");
        assertThat(worker(agent).path("coolingUntil").isNull()).isTrue();
    }
}
