package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.measurement.LinkMeasurements;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.WorkerId;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

/** Tests that a worker whose agent starts again is the same worker, and the removal of workers. */
@RunningService
class WorkerReturnIT {

    private static final String ONE_REPLICA =
            """
            {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}, "restarts": 0}
            """;

    private static final String BY_LINK =
            """
            {"apiVersion": "equipoise/v1", "name": "ring", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 2}, "topology": {"kind": "all-reduce", "order": "by-link"}}
            """;

    private final TestingLab lab;
    private final TestingLab.Project project;
    private final LinkMeasurements links;
    private final Logger logger = (Logger) LoggerFactory.getLogger(WorkerReturn.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    WorkerReturnIT(@Autowired TestingLab lab, @Autowired LinkMeasurements links) {
        this.lab = lab;
        this.project = lab.project();
        this.links = links;
    }

    @BeforeEach
    void listen() {
        // Other services of this process may have silenced it.
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void clear() {
        logger.detachAppender(lines);
        logger.setLevel(null);
        lab.clear();
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(it -> it.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Returns the registration of the next process of the same agent. */
    private static Registration restarted(Registration first, HostDescription host) {
        return new Registration(
                first.name(),
                host,
                "elsewhere:5701",
                Map.of("rack", "b"),
                first.credential(),
                null,
                "elsewhere:5702");
    }

    private static Registration restarted(Registration first) {
        return restarted(first, first.host());
    }

    private TestingClient by(Registration registration) {
        return lab.nobody().with(registration.credential().text());
    }

    private Answer comeBack(Registration again) {
        return by(again).post("/agents", again);
    }

    private JsonNode worker(TestingAgent agent) {
        return lab.administrator().get("/workers/" + agent.id()).expect(200);
    }

    private String state(TestingAgent agent) {
        return worker(agent).path("state").stringValue();
    }

    private static void assertSame(JsonNode admission, TestingAgent agent) {
        assertThat(admission.path("worker").stringValue()).isEqualTo(agent.id().toString());
    }

    private Answer remove(TestingAgent agent) {
        return lab.administrator().delete("/workers/" + agent.id());
    }

    private JsonNode importProfile(TestingAgent agent) {
        String file =
                """
                # kernel: training-step:mnist-cnn
                # date: %s
                size,mean_s,reps,ci_s,sd_s
                8,4.0,5,0.25,0.125
                16,7.0,5,0.25,0.125
                """
                        .formatted(lab.clock().instant().minusSeconds(60));
        return lab.administrator()
                .call(
                        HttpMethod.POST,
                        "/workers/" + agent.id() + "/profiles",
                        file,
                        MediaType.valueOf("text/csv"))
                .expect(201);
    }

    @Test
    void killedAgentReturnsAsTheSameWorkerAndItsWorkIsRevoked() {
        Registration first = TestingLab.registration("killed", Map.of("rack", "a"));
        TestingAgent agent = lab.join(first);
        agent.beat(List.of(agent)).expect(200);
        String joinedAt = worker(agent).path("joinedAt").stringValue();
        JsonNode profile = importProfile(agent);
        String run = project.submitOne(ONE_REPLICA);
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));

        assertSame(comeBack(restarted(first)).expect(201), agent);

        assertThat(state(agent)).isEqualTo("JOINING");
        assertThat(worker(agent).at("/labels/rack").stringValue()).isEqualTo("b");
        assertThat(worker(agent).path("clusterAddress").stringValue()).isEqualTo("elsewhere:5701");
        assertThat(worker(agent).path("joinedAt").stringValue()).isEqualTo(joinedAt);
        agent.report(part, new RunReport.RoundReached(0, 1, 1)).problem(409, "stale-generation");
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/failure/message").asString(""))
                        .contains("rank 0 on killed was started again"));
        agent.beat(List.of(agent)).expect(200);
        assertThat(state(agent)).isEqualTo("IDLE");
        assertThat(profiles(agent)).containsExactly(profile.path("id").stringValue());
    }

    private List<String> profiles(TestingAgent agent) {
        return lab.administrator()
                .get("/workers/" + agent.id() + "/profiles")
                .expect(200)
                .path("items")
                .valueStream()
                .map(it -> it.path("id").stringValue())
                .toList();
    }

    @Test
    void timeToJoinTheClusterIsShownUntilItEnds() {
        TestingAgent agent = lab.join(TestingLab.registration("forming", Map.of()));
        agent.beat(List.of(agent)).expect(200);
        assertThat(worker(agent).path("formingUntil").isString()).isTrue();

        lab.advance(Duration.ofMinutes(2), List.of(agent));

        assertThat(worker(agent).path("formingUntil").isNull()).isTrue();
        assertThat(lab.administrator().get("/workers?state=IDLE").expect(200).path("items"))
                .allSatisfy(it -> assertThat(it.path("formingUntil").isNull()).isTrue());
    }

    @Test
    void lostWorkerReturns() {
        Registration first = TestingLab.registration("lost");
        TestingAgent agent = lab.join(first);
        agent.beat(List.of(agent)).expect(200);
        lab.advance(Duration.ofSeconds(21), () -> {});
        await().untilAsserted(() -> assertThat(state(agent)).isEqualTo("LOST"));

        assertSame(comeBack(restarted(first)).expect(201), agent);

        assertThat(state(agent)).isEqualTo("JOINING");
    }

    @Test
    void credentialOfADepartedWorkerOnlyServesToReturn() {
        Registration first = TestingLab.registration("departed");
        TestingAgent agent = lab.join(first);
        agent.beat(List.of(agent)).expect(200);
        agent.leave();

        agent.beat(List.of(agent)).problem(401, "unauthenticated");
        agent.lease(0).problem(401, "unauthenticated");
        agent.offer(Credential.random(new SecureRandom())).problem(401, "unauthenticated");
        agent.client().get("/workers").problem(401, "unauthenticated");
        assertThat(state(agent)).isEqualTo("LEFT");
        assertSame(comeBack(restarted(first)).expect(201), agent);
        agent.beat(List.of(agent)).expect(200);

        assertThat(state(agent)).isEqualTo("IDLE");
    }

    @Test
    void workerThatWasLostForAWeekReturns() {
        Registration first = TestingLab.registration("absent");
        TestingAgent agent = lab.join(first);
        agent.beat(List.of(agent)).expect(200);
        lab.advance(Duration.ofSeconds(21), () -> {});
        await().untilAsserted(() -> assertThat(state(agent)).isEqualTo("LOST"));
        lab.clock().advance(Duration.ofDays(7));
        await().untilAsserted(() -> assertThat(state(agent)).isEqualTo("LEFT"));

        assertSame(comeBack(restarted(first)).expect(201), agent);
    }

    @Test
    void expelledWorkerCannotReturn() {
        Registration first = TestingLab.registration("expelled");
        TestingAgent agent = lab.join(first);
        lab.administrator().post("/workers/" + agent.id() + "/expel").expect(200);

        comeBack(restarted(first)).problem(401, "unauthenticated");
    }

    @Test
    void cordonStaysAndADrainEndsWithTheReturn() {
        Registration first = TestingLab.registration("cordoned");
        TestingAgent agent = lab.join(first);
        agent.beat(List.of(agent)).expect(200);
        lab.administrator().post("/workers/" + agent.id() + "/cordon").expect(200);
        agent.leave();
        comeBack(restarted(first)).expect(201);
        assertThat(worker(agent).path("cordon").stringValue()).isEqualTo("CORDONED");

        lab.administrator().post("/workers/" + agent.id() + "/drain").expect(200);
        agent.leave();
        comeBack(restarted(first)).expect(201);

        assertThat(worker(agent).path("cordon").stringValue()).isEqualTo("OPEN");
        agent.beat(List.of(agent)).expect(200);
        assertThat(agent.beat(List.of(agent)).expect(200).path("leave").booleanValue())
                .as("an agent that a service manager starts again must stay")
                .isFalse();
    }

    @Test
    void labelChangesOutliveTheProcessOfTheAgent() {
        Registration first = TestingLab.registration("labeled", Map.of("rack", "a", "gpu", "none"));
        TestingAgent agent = lab.join(first);
        JsonNode changed =
                lab.administrator()
                        .patch(
                                "/workers/" + agent.id(),
                                "{\"labels\": {\"rack\": \"c\", \"room\": \"west\","
                                        + " \"gpu\": null}}")
                        .expect(200);
        assertThat(changed.path("labels")).hasSize(2);
        assertThat(changed.at("/labels/rack").stringValue()).isEqualTo("c");

        comeBack(restarted(first)).expect(201);

        JsonNode labels = worker(agent).path("labels");
        assertThat(labels.path("rack").stringValue())
                .as("not b, as the agent reports")
                .isEqualTo("c");
        assertThat(labels.path("room").stringValue()).isEqualTo("west");
        lab.administrator()
                .patch("/workers/" + agent.id(), "{\"labels\": {\"rack\": \"b\", \"room\": null}}")
                .expect(200);
        assertThat(worker(agent).path("labels")).hasSize(1);
        assertThat(worker(agent).at("/labels/rack").stringValue()).isEqualTo("b");
        Answer wrong =
                lab.administrator()
                        .patch("/workers/" + agent.id(), "{\"labels\": {\"rack\": \"a\\nb\"}}");
        wrong.problem(400, "invalid-request");
        assertThat(wrong.violations())
                .singleElement()
                .asString()
                .startsWith("/labels/rack must have");
        lab.administrator().patch("/workers/" + agent.id(), "{}").expect(200);
        lab.administrator()
                .patch("/workers/" + agent.id(), "{\"labels\": null}")
                .problem(400, "invalid-request");
        assertThat(worker(agent).path("labels")).hasSize(1);
    }

    @Test
    void registrationNeedsTheCredentialThatSendsIt() {
        Registration first = TestingLab.registration("one");
        TestingAgent agent = lab.join(first);

        by(first).post("/agents", TestingLab.registration("other")).problem(409, "illegal-state");

        assertThat(worker(agent).path("name").stringValue()).isEqualTo("one");
    }

    @Test
    void credentialBeforeTheLastStaysValidUntilTheNextIsUsed() {
        Registration first = TestingLab.registration("renewed");
        TestingAgent agent = lab.join(first);
        lab.clock().advance(Duration.ofSeconds(61));
        agent.beat(List.of(agent)).expect(200);
        Credential next = Credential.random(new SecureRandom());
        agent.offer(next).expect(204);

        assertSame(comeBack(restarted(first)).expect(201), agent);
        Registration renewed =
                new Registration(
                        "renewed", first.host(), "elsewhere:5701", Map.of(), next, null, null);
        assertSame(comeBack(renewed).expect(201), agent);

        comeBack(restarted(first)).problem(401, "unauthenticated");
        agent.use(next);
    }

    @Test
    void changedHostMakesProfilesStaleAndPlansSaySo() {
        Registration first = TestingLab.registration("changed");
        TestingAgent agent = lab.join(first);
        TestingAgent other = lab.join("other");
        TestingLab.beat(List.of(agent, other));
        String profile = importProfile(agent).path("id").stringValue();
        importProfile(other);
        assertThat(staleness(profile)).isEmpty();
        HostDescription before = first.host();
        var after =
                new HostDescription(
                        before.name(),
                        16,
                        before.threads(),
                        before.memoryBytes(),
                        before.system(),
                        before.backend(),
                        before.slowDown(),
                        "Model 2");

        comeBack(restarted(first, after)).expect(201);
        TestingLab.beat(List.of(agent, other));

        assertThat(warnings())
                .containsExactly(
                        "worker changed: changed %s: profiles and links are stale, since its host has changed: processors 8, now 16"
                                .formatted(agent.id()));
        assertThat(staleness(profile)).hasSize(1);
        assertThat(staleness(profile).path(0).stringValue()).isEqualTo("processors 8, now 16");
        assertThat(worker(agent).at("/host/processor").stringValue()).isEqualTo("Model 2");
        assertThat(leftOut())
                .contains("worker changed: its profile of training-step:mnist-cnn is stale")
                .contains("processors 8, now 16")
                .contains("measure it again");
        comeBack(restarted(first, before)).expect(201);
        assertThat(staleness(profile)).as("the hardware is as it was").isEmpty();
    }

    private JsonNode staleness(String profile) {
        return lab.administrator().get("/profiles/" + profile).expect(200).path("stale");
    }

    private String leftOut() {
        return project.member()
                .post("/plans", "{\"definition\": %s}".formatted(ONE_REPLICA))
                .expect(200)
                .path("leftOut")
                .toString();
    }

    @Test
    void removedWorkerIsGoneAndItsRunsKeepItsName() {
        Registration first = TestingLab.registration("removed");
        TestingAgent agent = lab.join(first);
        agent.beat(List.of(agent)).expect(200);
        String run = project.submitOne(ONE_REPLICA);
        agent.training();
        assertThat(remove(agent).problem(409, "illegal-state").path("detail").stringValue())
                .isEqualTo(
                        "Worker %s is BUSY: only a worker that is LOST or LEFT can be removed; stop or expel it first",
                        agent.id());
        agent.leave();

        remove(agent).expect(204);

        lab.administrator().get("/workers/" + agent.id()).problem(404, "not-found");
        assertThat(
                        lab.administrator()
                                .get("/workers?state=LEFT&limit=500")
                                .expect(200)
                                .path("items"))
                .extracting(it -> it.path("id").stringValue())
                .doesNotContain(agent.id().toString());
        assertThat(project.run(run).at("/replicas/0/workerName").stringValue())
                .isEqualTo("removed");
        remove(agent).problem(404, "not-found");
        lab.administrator().post("/workers/" + agent.id() + "/cordon").problem(404, "not-found");
        comeBack(restarted(first)).problem(401, "unauthenticated");
    }

    @Test
    void lostWorkerCanBeRemovedByAdministratorsAlone() {
        TestingAgent agent = lab.agents(1).getFirst();
        lab.advance(Duration.ofSeconds(21), () -> {});
        await().untilAsserted(() -> assertThat(state(agent)).isEqualTo("LOST"));

        project.member().delete("/workers/" + agent.id()).problem(403, "forbidden");
        remove(agent).expect(204);

        agent.beat(List.of(agent)).problem(401, "unauthenticated");
        assertThat(lastAudit().path("action").stringValue()).isEqualTo("worker-removed");
    }

    private JsonNode lastAudit() {
        return lab.administrator().get("/audit?limit=1").expect(200).at("/items/0");
    }

    /** Returns the registration of a process at another data address. */
    private static Registration at(String dataAddress, Registration first, HostDescription host) {
        return new Registration(
                first.name(),
                host,
                first.clusterAddress(),
                first.labels(),
                first.credential(),
                null,
                dataAddress);
    }

    private static Registration at(String dataAddress, Registration first) {
        return at(dataAddress, first, first.host());
    }

    /** Measures the link between two workers, at a time of its own. */
    private void measureLink(List<TestingAgent> two) {
        lab.advance(Duration.ofSeconds(1), two);
        TestingLab.beat(two);
        lab.administrator()
                .post(
                        "/links/measurements",
                        Map.of("workers", two.stream().map(TestingAgent::id).toList()))
                .expect(202);
        List<Assignment.LinkProfiling> work =
                two.stream().map(it -> (Assignment.LinkProfiling) it.work()).toList();
        for (int index = 0; index < two.size(); index++) {
            if (work.get(index).rank() == 0) {
                two.get(index)
                        .tell(
                                work.get(index),
                                new LinkReport.LinkMeasured(
                                        new MeasuredLink(0, 1, 0.25, 0.125, 0.5)),
                                new LinkReport.AllReduceMeasured(
                                        new MeasuredAllReduce(
                                                Topology.Algorithm.RING, 2, 1000, 0.25)));
            }
        }
        for (int index = 0; index < two.size(); index++) {
            two.get(index).tell(work.get(index), new Outcome.Finished());
        }
        await().untilAsserted(() -> assertKnown(two, true));
    }

    private void assertKnown(List<TestingAgent> two, boolean isKnown) {
        List<WorkerId> ids = two.stream().map(TestingAgent::id).toList();
        assertThat(lab.administrator().get("/links").expect(200).path("items"))
                .hasSize(isKnown ? 1 : 0);
        assertThat(links.between(ids).isPresent()).isEqualTo(isKnown);
        assertThat(links.allReduces(Set.copyOf(ids), Topology.Algorithm.RING))
                .hasSize(isKnown ? 1 : 0);
    }

    @Test
    void linksSurviveARestartAndAreStaleAfterAChangeOfHostOrAddress() {
        Registration first = at("here:5702", TestingLab.registration("linked"));
        TestingAgent agent = lab.join(first);
        List<TestingAgent> two = List.of(agent, lab.join("other"));
        measureLink(two);

        assertSame(comeBack(at("here:6702", first)).expect(201), agent);
        assertKnown(two, true);
        assertThat(warnings()).isEmpty();

        comeBack(at("there:6702", first)).expect(201);
        assertKnown(two, false);
        measureLink(two);
        HostDescription before = first.host();
        HostDescription moved =
                new HostDescription(
                        "second", 8, 2, 1L << 34, "Linux amd64", "oneDNN", before.slowDown());
        comeBack(at("there:6702", first, moved)).expect(201);
        assertKnown(two, false);
        measureLink(two);
        HostDescription faster =
                new HostDescription(
                        "second", 16, 2, 1L << 34, "Linux amd64", "oneDNN", before.slowDown());
        comeBack(at("there:6702", first, faster)).expect(201);
        assertKnown(two, false);
        comeBack(at("there:7702", first, faster)).expect(201);

        String worker = "worker changed: linked %s: ".formatted(agent.id());
        assertThat(warnings())
                .containsExactly(
                        worker + "links are stale, since it has moved: address here, now there",
                        worker + "links are stale, since it has moved: host host, now second",
                        worker
                                + "profiles and links are stale, since its host has changed:"
                                + " processors 8, now 16");
    }

    /** The worker takes part in the next measurement instead of running on figures of the past. */
    @Test
    void runByLinkMeasuresStaleLinksAgain() {
        Registration first = at("here:5702", TestingLab.registration("linked"));
        List<TestingAgent> two = List.of(lab.join(first), lab.join("other"));
        measureLink(two);
        comeBack(at("there:5702", first)).expect(201);
        TestingLab.beat(two);

        String run = project.submitOne(BY_LINK);

        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/code").stringValue(""))
                        .isEqualTo("profiling-links"));
    }
}
