package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests agents that speak another version of the protocol than the service. */
@RunningService
class VersionSkewIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "skew", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}}
            """;

    private static final Path RECORDED = Path.of("../protocol/src/test/resources/recorded/0.1");

    private final TestingLab lab;
    private final JsonMapper json;

    VersionSkewIT(@Autowired TestingLab lab, @Autowired JsonMapper json) {
        this.lab = lab;
        this.json = json;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Returns the service's protocol version with its numbers increased. */
    private static ProtocolVersion apart(int majors, int minors) {
        String[] own = ProtocolVersion.OWN.text().split("\\.", -1);
        return ProtocolVersion.of(
                "%d.%d"
                        .formatted(
                                Integer.parseInt(own[0]) + majors,
                                Integer.parseInt(own[1]) + minors));
    }

    private static Registration of(
            @Nullable SoftwareVersion version, @Nullable ProtocolVersion protocol) {
        Registration plain = TestingLab.registration("skewed", Map.of("room", "a"));
        return new Registration(
                plain.name(),
                plain.host(),
                plain.clusterAddress(),
                plain.labels(),
                plain.credential(),
                version,
                null,
                protocol,
                null);
    }

    /** Adds a field to each object except the labels, as a newer agent may. */
    private JsonNode newer(Object message) {
        JsonNode newer = json.readTree(json.writeValueAsString(message));
        addEverywhere(newer);
        return newer;
    }

    private static void addEverywhere(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().stream()
                    .filter(it -> !it.getKey().equals("labels"))
                    .forEach(it -> addEverywhere(it.getValue()));
            object.putObject("addedLater").put("kind", "new");
        } else {
            node.values().forEach(VersionSkewIT::addEverywhere);
        }
    }

    @Test
    void unknownFieldsOfANewerAgentAreIgnored() {
        Registration registration = of(SoftwareVersion.of("0.9.0"), apart(0, 1));
        String id =
                lab.nobody()
                        .with(lab.joinToken())
                        .post("/agents", newer(registration))
                        .expect(201)
                        .path("worker")
                        .stringValue();
        TestingClient agent = lab.nobody().with(registration.credential().text());
        Credential next = Credential.random(new SecureRandom());
        lab.clock().advance(Duration.ofMinutes(2));
        agent.put("/agents/" + id + "/credential", newer(new NextCredential(next))).expect(204);
        TestingClient renewed = lab.nobody().with(next.text());
        WorkerId self = WorkerId.of(UUID.fromString(id));
        var heartbeat = new Heartbeat(registration.clusterAddress(), Set.of(self), false, 0.5);
        renewed.post("/agents/" + id + "/heartbeat", newer(heartbeat)).expect(200);
        TestingLab.Project project = lab.project();
        String run = project.submitOne(DEFINITION);
        Assignment assignment =
                json.treeToValue(
                        await().pollInSameThread()
                                .until(
                                        () -> renewed.post("/agents/" + id + "/lease?wait=10"),
                                        leased -> leased.status() != 204)
                                .expect(200),
                        Assignment.class);
        String events = "/assignments/" + assignment.id() + "/events";

        var ready = new Report(1, 1, List.of(new RunReport.ReplicaReady(0, 0, "c0ffee")));
        renewed.post(events, newer(ready)).expect(204);

        assertThat(project.run(run).path("state").stringValue()).isEqualTo("RUNNING");
        renewed.delete("/agents/" + id).expect(204);
    }

    /** Rejecting the event would block all later ones, since reports are ordered. */
    @Test
    void onlyEventsOfUnknownTypeAreSkipped() {
        TestingAgent agent = lab.agents(1).getFirst();
        TestingLab.Project project = lab.project();
        String run = project.submitOne(DEFINITION);
        Assignment assignment = agent.training();
        String events = "/assignments/" + assignment.id() + "/events";
        ObjectNode report =
                json.valueToTree(
                        new Report(
                                assignment.generation(),
                                1,
                                List.of(
                                        new RunReport.ReplicaReady(0, 0, "c0ffee"),
                                        new RunReport.Noted(0, "cooled"),
                                        new RunReport.RoundReached(0, 1, 7))));
        ((ObjectNode) report.path("events").path(1)).put("type", "cooled").put("degrees", 3);

        agent.client().post(events, report).expect(204);
        assertThat(project.run(run).at("/progress/round").intValue()).isEqualTo(7);
        agent.send(assignment, assignment.generation(), 4, new RunReport.Noted(0, "and so on"))
                .expect(204);
        ((ArrayNode) report.path("events")).removeAll().addObject().put("degrees", 3);
        agent.client().post(events, report).problem(400, "invalid-request");
    }

    private static EpochFinished epoch(int epoch, String parameters) {
        return TestingEpochs.epoch(
                epoch,
                1500,
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new EpochFinished.TestScore(0.9, 0.4),
                parameters);
    }

    /** Trains a run on two agents, of which the first reports a distance of 0 after each epoch. */
    private JsonNode trained(
            TestingLab.Project project, TestingAgent reporting, TestingAgent other) {
        TestingLab.beat(List.of(reporting, other));
        String run = project.submitOne(DEFINITION.replace("\"replicas\": 1", "\"replicas\": 2"));
        Assignment.Training first = reporting.training();
        Assignment.Training second = other.training();
        reporting.tell(first, new RunReport.ReplicaReady(0, 0, "start"));
        other.tell(second, new RunReport.ReplicaReady(0, 0, "start"));
        reporting.tell(first, TestingEpochs.atDistanceZero(epoch(1, "one")));
        other.tell(second, epoch(1, "another"));
        reporting.tell(first, TestingEpochs.atDistanceZero(epoch(2, "same")));
        other.tell(second, TestingEpochs.atDistanceZero(epoch(2, "same")));
        return project.run(run);
    }

    /** It takes replicas for equal without comparing them. */
    @Test
    void distanceThatAnEarlierAgentAssumesIsNotStored() {
        TestingLab.Project project = lab.project();

        JsonNode run =
                trained(
                        project,
                        lab.join(of(null, null)),
                        lab.join(of(SoftwareVersion.OWN, ProtocolVersion.UNREPORTED)));

        assertThat(run.path("epochs")).hasSize(2);
        assertThat(run.path("epochs").valueStream())
                .allMatch(epoch -> epoch.path("distance").isNull());
        assertThat(run.at("/epochs/0/replicasIdentical").booleanValue()).isFalse();
        assertThat(run.at("/epochs/1/replicasIdentical").booleanValue()).isTrue();
        assertThat(run.at("/epochs/0/ranks/1/difference").isNull()).isTrue();
        String log =
                project.member()
                        .text("/runs/%s/log".formatted(run.path("id").stringValue()))
                        .body();
        assertThat(log)
                .containsOnlyOnce("replicas differ after epoch")
                .contains("replicas differ after epoch 1 from that of rank 0 on skewed")
                .contains("is at a distance that nobody has measured");
    }

    @Test
    void measuredDistanceOfZeroIsStored() {
        JsonNode run =
                trained(
                        lab.project(),
                        lab.join(of(SoftwareVersion.OWN, ProtocolVersion.OWN)),
                        lab.join(of(SoftwareVersion.OWN, ProtocolVersion.OWN)));

        assertThat(run.at("/epochs/1/distance/absolute").isNumber()).isTrue();
        assertThat(run.at("/epochs/1/distance/absolute").doubleValue()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0 |  2 | upgrade the service to version 7.0.0, or install an older agent, of version
                    0 | -2 | upgrade the agent to version
                    1 |  0 | upgrade the service to version 7.0.0, or install an older agent, of version
                    1 | -1 | upgrade the service to version 7.0.0, or install an older agent, of version
                    """)
    void incompatibleAgentLearnsWhichSideToUpgrade(int majors, int minors, String remedy) {
        ProtocolVersion other = apart(majors, minors);
        TestingClient newcomer = lab.nobody().with(lab.joinToken());

        JsonNode problem =
                newcomer.post("/agents", of(SoftwareVersion.of("7.0.0"), other))
                        .problem(409, "incompatible-version");

        assertThat(problem.path("detail").stringValue())
                .isEqualTo(
                        "the agent speaks protocol %s (version 7.0.0) and the service protocol %s (version %s), which may differ by one minor version at most: %s %s"
                                .formatted(
                                        other,
                                        ProtocolVersion.OWN,
                                        SoftwareVersion.OWN,
                                        remedy,
                                        SoftwareVersion.OWN));
        newcomer.post("/agents", of(SoftwareVersion.OWN, ProtocolVersion.OWN)).expect(201);
    }

    @Test
    void versionsOfAnAgentAreShown() {
        JsonNode newer = worker(lab.join(of(SoftwareVersion.of("0.9.0"), apart(0, 1))));
        JsonNode older = worker(lab.join(of(null, null)));

        assertThat(newer.path("agentVersion").stringValue()).isEqualTo("0.9.0");
        assertThat(newer.path("protocolVersion").stringValue()).isEqualTo(apart(0, 1).text());
        assertThat(older.path("agentVersion").isNull()).isTrue();
        assertThat(older.path("protocolVersion").stringValue())
                .isEqualTo(ProtocolVersion.UNREPORTED.text());
    }

    private JsonNode worker(TestingAgent agent) {
        return lab.administrator().get("/workers/" + agent.id()).expect(200);
    }

    @Test
    void serviceTellsItsVersionsToAnybodyAndToNewAgents() {
        JsonNode version = lab.nobody().get("/version").expect(200);
        JsonNode admission =
                lab.nobody()
                        .with(lab.joinToken())
                        .post("/agents", of(SoftwareVersion.OWN, ProtocolVersion.OWN))
                        .expect(201);

        assertThat(version.propertyNames()).containsExactlyInAnyOrder("version", "protocol");
        for (JsonNode told : List.of(version, admission)) {
            assertThat(told.path("version").stringValue()).isEqualTo(SoftwareVersion.OWN.text());
            assertThat(told.path("protocol").stringValue()).isEqualTo(ProtocolVersion.OWN.text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"with a version", "without a version", "with a data address"})
    void recordedRegistrationOfTheVersionBeforeIsAccepted(String name) {
        JsonNode recorded = json.readTree(RECORDED.resolve("Registration.json")).path(name);
        assertThat(recorded.has("protocol")).isFalse();
        ((ObjectNode) recorded)
                .put("credential", Credential.random(new SecureRandom()).text())
                .put("name", name);

        JsonNode admission =
                lab.nobody().with(lab.joinToken()).post("/agents", recorded).expect(201);

        String worker = admission.path("worker").stringValue();
        JsonNode shown = lab.administrator().get("/workers/" + worker).expect(200);
        assertThat(shown.path("protocolVersion").stringValue()).isEqualTo("0.1");
    }

    /** A misspelled field of a person would count as an omitted one. */
    @Test
    void unknownFieldsOfUsersAreRejected() {
        Answer response =
                lab.administrator().post("/projects", Map.of("name", "skewed", "addedLater", "x"));

        response.problem(400, "invalid-request");
        assertThat(response.violations())
                .singleElement()
                .asString()
                .startsWith("/addedLater is not a field");
    }
}
