package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.ProbeKey;
import dev.equipoise.protocol.ProbeResult;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Tests the addresses of agents: refused ones, and those that a probe cannot reach. */
@RunningService
class ReachabilityIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "reached", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": %d}}
            """;

    private final TestingLab lab;

    ReachabilityIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static Registration registration(String name, String host, String dataAddress) {
        Registration plain = TestingLab.onHost(name, host);
        return new Registration(
                plain.name(),
                plain.host(),
                plain.clusterAddress(),
                plain.labels(),
                plain.credential(),
                SoftwareVersion.OWN,
                dataAddress,
                ProtocolVersion.OWN,
                null);
    }

    /** Workers join one after the other, which decides who is the oldest. */
    private TestingAgent join(String name) {
        lab.clock().advance(Duration.ofMillis(1));
        return lab.join(registration(name, name, name + ":5702"));
    }

    /** Sends a heartbeat with results and returns the probes that the reply asks for. */
    private static List<JsonNode> beat(
            TestingAgent agent, List<TestingAgent> all, ProbeResult... results) {
        Set<WorkerId> seen = all.stream().map(TestingAgent::id).collect(Collectors.toSet());
        return List.copyOf(
                agent.client()
                        .post(
                                "/agents/" + agent.id() + "/heartbeat",
                                new Heartbeat(
                                        "cluster-%s:5701".formatted(agent.id()),
                                        seen,
                                        false,
                                        null,
                                        List.of(results),
                                        null))
                        .expect(200)
                        .path("probes")
                        .values());
    }

    private JsonNode worker(TestingAgent agent) {
        return lab.administrator().get("/workers/" + agent.id()).expect(200);
    }

    private static ProbeResult missed(TestingAgent agent, String name) {
        return new ProbeResult(agent.id(), name + ":5702", "connection timed out");
    }

    private void assertWaits(TestingLab.Project project, String run, String code, String message) {
        await().untilAsserted(() -> {
            JsonNode waiting = project.run(run).path("waiting");
            assertThat(waiting.path("code").stringValue("")).isEqualTo(code);
            assertThat(waiting.path("message").stringValue("")).isEqualTo(message);
        });
    }

    @Test
    void newcomerAndTheOthersProbeEachOtherOnce() {
        TestingAgent first = join("first");
        assertThat(beat(first, List.of(first))).as("alone").isEmpty();
        TestingAgent second = join("second");
        List<TestingAgent> all = List.of(first, second);

        assertThat(beat(first, all))
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.path("worker").stringValue()).isEqualTo(second.id().toString());
                    assertThat(it.path("address").stringValue()).isEqualTo("second:5702");
                });
        assertThat(beat(second, all))
                .extracting(it -> it.path("address").stringValue())
                .containsExactly("first:5702");
        assertThat(beat(first, all)).as("the answer is awaited").isEmpty();
    }

    /** An agent of an earlier version has no key; an earlier prober passes over the field. */
    @Test
    void probeHasTheKeyOfTheWorkerThatIsToAnswer() {
        Registration plain = registration("first", "first", "first:5702");
        var key = ProbeKey.of(new byte[44]);
        TestingAgent first =
                lab.join(
                        new Registration(
                                plain.name(),
                                plain.host(),
                                plain.clusterAddress(),
                                plain.labels(),
                                plain.credential(),
                                plain.version(),
                                plain.dataAddress(),
                                plain.protocol(),
                                null,
                                key));
        beat(first, List.of(first));
        TestingAgent second = join("second");
        List<TestingAgent> all = List.of(first, second);

        assertThat(beat(second, all))
                .extracting(it -> it.path("key").stringValue(""))
                .containsExactly(key.text());
        assertThat(beat(first, all)).singleElement().matches(it -> !it.has("key"));
    }

    /** The run starts with workers that reach one another, or says who cannot be reached where. */
    @Test
    void unreachableWorkerIsNamedAndNotPlaced() {
        TestingAgent first = join("first");
        TestingAgent second = join("second");
        List<TestingAgent> two = List.of(first, second);
        two.forEach(it -> beat(it, two));
        beat(first, two, missed(second, "second"));
        TestingLab.Project project = lab.project();
        String run = project.submitOne(DEFINITION.formatted(2));

        assertWaits(
                project,
                run,
                "unreachable-workers",
                "2 workers needed that reach one another, 1 of 2 do: second cannot be reached by"
                        + " first at second:5702: connection timed out");
        assertThat(project.run(run).path("predictedStart").isNull()).isTrue();
        assertThat(worker(first).path("probes").values())
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.path("failure").stringValue()).isEqualTo("connection timed out");
                    assertThat(it.path("failures").intValue()).isEqualTo(1);
                });
        assertThat(worker(second).path("dataAddress").stringValue()).isEqualTo("second:5702");

        TestingAgent third = join("third");
        List<TestingAgent> all = List.of(first, second, third);
        all.forEach(it -> beat(it, all));

        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo("PLACED"));
        assertThat(project.run(run).path("replicas").values())
                .extracting(it -> it.path("worker").stringValue())
                .containsExactlyInAnyOrder(first.id().toString(), third.id().toString());
    }

    @Test
    void failedProbeIsRepeatedAndASuccessEndsTheWait() {
        TestingAgent first = join("first");
        TestingAgent second = join("second");
        List<TestingAgent> all = List.of(first, second);
        all.forEach(it -> beat(it, all));
        beat(first, all, missed(second, "second"));
        TestingLab.Project project = lab.project();
        String run = project.submitOne(DEFINITION.formatted(2));
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/code").stringValue(""))
                        .isEqualTo("unreachable-workers"));

        lab.clock().advance(Duration.ofSeconds(10));
        beat(second, all);
        assertThat(beat(first, all)).as("repeated after the pause").hasSize(1);
        beat(first, all, new ProbeResult(second.id(), "second:5702", null));

        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo("PLACED"));
    }

    /** An agent cannot report failures of workers that it was not asked to probe. */
    @Test
    void resultsThatNobodyAskedForAreIgnored() {
        TestingAgent first = join("first");
        beat(first, List.of(first));
        TestingAgent second = lab.join("second");
        List<TestingAgent> all = List.of(first, second);

        assertThat(beat(first, all, missed(second, "second")))
                .as("a worker without a data address is not probed")
                .isEmpty();

        assertThat(worker(first).path("probes").values()).isEmpty();
    }

    /** The attempt to form a cluster ends, and has a reason with names and addresses. */
    @Test
    void clusterIsNotAwaitedForEver() {
        TestingAgent first = join("first");
        TestingAgent second = join("second");
        TestingLab.Project project = lab.project();
        String run = project.submitOne(DEFINITION.formatted(2));
        Runnable heartbeats =
                () -> {
                    beat(first, List.of(first));
                    beat(second, List.of(second));
                };
        heartbeats.run();
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/code").stringValue(""))
                        .isEqualTo("cluster-forming"));

        lab.advance(Duration.ofMinutes(2), heartbeats);

        assertWaits(
                project,
                run,
                "unreachable-workers",
                "2 workers needed that reach one another, 1 of 2 do: first does not see second at"
                        + " cluster-%s:5701 in the cluster, second does not see first at"
                                .formatted(second.id())
                        + " cluster-%s:5701 in the cluster".formatted(first.id()));
    }

    @Test
    void loopbackAddressBesideOtherHostsIsRefusedWithTheWayOut() {
        TestingAgent remote = lab.join(registration("remote", "there", "10.0.0.5:5702"));
        beat(remote, List.of(remote));

        assertThat(
                        lab.register(
                                        lab.joinToken(),
                                        registration("local", "here", "127.0.0.1:5702"))
                                .problem(409, "unreachable-address")
                                .path("detail")
                                .stringValue())
                .isEqualTo(
                        "The other agents would look for this one at 127.0.0.1:5702, which leads"
                                + " each host to itself, and worker remote is on another host, at"
                                + " 10.0.0.5:5702: set --host to an address at which they reach the"
                                + " host of this agent");
    }

    @Test
    void agentBesideALoopbackWorkerOfAnotherHostIsRefusedWithTheWayOut() {
        TestingAgent local = lab.join(registration("local", "here", "[::1]:5702"));
        beat(local, List.of(local));

        assertThat(
                        lab.register(
                                        lab.joinToken(),
                                        registration("remote", "there", "10.0.0.5:5702"))
                                .problem(409, "unreachable-address")
                                .path("detail")
                                .stringValue())
                .startsWith("Worker local is at [::1]:5702, which leads each host to itself")
                .contains("start the agent of local again with --host");
        beat(lab.join(registration("other", "here", "10.0.0.6:5702")), List.of(local));
    }

    @Test
    void loopbackAddressesOfTwoHostsAreRefusedWithTheWayOut() {
        TestingAgent local = lab.join(registration("local", "here", "127.0.0.1:5702"));
        beat(local, List.of(local));

        assertThat(
                        lab.register(
                                        lab.joinToken(),
                                        registration("remote", "there", "localhost:5702"))
                                .problem(409, "unreachable-address")
                                .path("detail")
                                .stringValue())
                .isEqualTo(
                        "The other agents would look for this one at localhost:5702, which leads"
                                + " each host to itself, and worker local is on another host, at"
                                + " 127.0.0.1:5702: set --host to an address at which they reach"
                                + " the host of this agent, and start the agent of local again in"
                                + " the same way, or let both run on one host");
        lab.join(registration("beside", "here", "127.0.0.1:5703"));
    }

    @Test
    void returnWithALoopbackAddressOnAnotherHostIsRefused() {
        Registration first = registration("moving", "here", "127.0.0.1:5702");
        TestingAgent moving = lab.join(first);
        TestingAgent local = lab.join(registration("local", "here", "127.0.0.1:5703"));
        beat(local, List.of(local));

        moving.client()
                .post(
                        "/agents",
                        new Registration(
                                first.name(),
                                TestingLab.onHost("moving", "there").host(),
                                first.clusterAddress(),
                                first.labels(),
                                first.credential(),
                                first.version(),
                                first.dataAddress(),
                                first.protocol(),
                                null))
                .problem(409, "unreachable-address");
    }

    /** Such an agent would take the new code for the answer of a proxy, and repeat. */
    @Test
    void agentOfTheVersionBeforeGetsACodeThatItKnows() {
        TestingAgent local = lab.join(registration("local", "here", "127.0.0.1:5702"));
        beat(local, List.of(local));
        Registration plain = TestingLab.onHost("older", "there");
        var older =
                new Registration(
                        plain.name(),
                        plain.host(),
                        plain.clusterAddress(),
                        plain.labels(),
                        plain.credential(),
                        SoftwareVersion.OWN,
                        "127.0.0.1:5702");

        lab.register(lab.joinToken(), older).problem(409, "illegal-state");
    }
}
