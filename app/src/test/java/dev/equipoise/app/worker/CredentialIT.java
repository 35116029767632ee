package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Tests that workers renew their credentials, and administrators revoke them, during a run. */
@RunningService
class CredentialIT {

    private static final String ONE_REPLICA =
            """
            {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
             "workers": {"replicas": 1}}
            """;

    private static final Duration OLD_ENOUGH = Duration.ofSeconds(61);

    private final TestingLab lab;
    private final TestingLab.Project project;

    CredentialIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static Credential credential() {
        return Credential.random(new SecureRandom());
    }

    /** An agent whose credential is old enough to be renewed. */
    private TestingAgent agent() {
        TestingAgent agent = lab.join("agent");
        lab.clock().advance(OLD_ENOUGH);
        beat(agent, agent.client()).expect(200);
        return agent;
    }

    private static Answer beat(TestingAgent agent, TestingClient by) {
        return by.post(
                "/agents/" + agent.id() + "/heartbeat",
                new Heartbeat("agent:5701", Set.of(agent.id()), false));
    }

    private static Answer offer(TestingAgent agent, TestingClient by, Credential next) {
        return by.put("/agents/" + agent.id() + "/credential", new NextCredential(next));
    }

    private TestingClient by(Credential credential) {
        return lab.nobody().with(credential.text());
    }

    private List<JsonNode> notes(String action, TestingAgent of) {
        return lab.administrator()
                .get("/audit?limit=500")
                .expect(200)
                .path("items")
                .valueStream()
                .filter(it -> it.path("action").stringValue().equals(action))
                .filter(it -> it.path("subject").stringValue().equals(of.id().toString()))
                .toList();
    }

    @Test
    void credentialIsRenewedDuringARun() {
        TestingAgent agent = agent();
        String run = project.submitOne(ONE_REPLICA);
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        Credential next = credential();

        offer(agent, agent.client(), next).expect(204);
        agent.tell(part, new RunReport.RoundReached(0, 1, 1));
        offer(agent, agent.client(), next).expect(204);
        assertThat(notes("credential-renewed", agent))
                .as("the worker has not used it yet")
                .isEmpty();
        beat(agent, by(next)).expect(200);

        beat(agent, agent.client()).problem(401, "unauthenticated");
        report(by(next), part, 3, TestingEpochs.epoch(1, 3000, 1, 1, 1, 3, 1, 1, null, "p"))
                .expect(204);
        report(by(next), part, 4, new Outcome.Finished()).expect(204);
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(notes("credential-renewed", agent)).hasSize(1);
        by(next).delete("/agents/" + agent.id()).expect(204);
    }

    private static Answer report(
            TestingClient by, Assignment part, long first, AgentEvent... events) {
        return by.post(
                "/assignments/" + part.id() + "/events",
                new Report(part.generation(), first, List.of(events)));
    }

    @Test
    void lastOfferedCredentialCounts() {
        TestingAgent agent = agent();
        Credential superseded = credential();
        Credential next = credential();
        offer(agent, agent.client(), superseded).expect(204);
        offer(agent, agent.client(), next).expect(204);

        beat(agent, by(superseded)).problem(401, "unauthenticated");
        beat(agent, agent.client()).expect(200);
        beat(agent, by(next)).expect(200);

        by(next).delete("/agents/" + agent.id()).expect(204);
        beat(agent, by(next)).problem(401, "unauthenticated");
    }

    @Test
    void workerIsAskedToRenewOnceADay() {
        TestingAgent agent = agent();
        assertThat(isAskedToRenew(agent, agent.client())).isFalse();

        lab.clock().advance(Duration.ofHours(24));

        assertThat(isAskedToRenew(agent, agent.client())).isTrue();
        Credential next = credential();
        offer(agent, agent.client(), next).expect(204);
        assertThat(isAskedToRenew(agent, by(next))).isFalse();
        by(next).delete("/agents/" + agent.id()).expect(204);
    }

    private static boolean isAskedToRenew(TestingAgent agent, TestingClient by) {
        return beat(agent, by).expect(200).path("renew").booleanValue();
    }

    @Test
    void youngCredentialAndCredentialOfOthersAreRejected() {
        TestingAgent agent = lab.join("young");
        offer(agent, agent.client(), credential()).problem(409, "illegal-state");
        lab.clock().advance(OLD_ENOUGH);
        Registration other = TestingLab.registration("other");
        TestingAgent owner = lab.join(other);

        offer(agent, agent.client(), other.credential()).problem(409, "illegal-state");
        offer(owner, agent.client(), credential()).problem(404, "not-found");
        agent.client()
                .put("/agents/" + agent.id() + "/credential", "{\"credential\": \"eqw_short\"}")
                .problem(400, "invalid-request");
        beat(agent, agent.client()).expect(200);
        beat(owner, owner.client()).expect(200);
    }

    @Test
    void expelledWorkerIsRejectedAndRestartsItsRun() throws Exception {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(ONE_REPLICA.replace("\"replicas\": 1", "\"replicas\": 2"));
        Assignment.Training part = agents.getFirst().training();
        Assignment.Training other = agents.getLast().training();
        TestingAgent expelled = agents.getFirst();

        assertThat(expel(expelled).expect(200).path("state").stringValue()).isEqualTo("LEFT");

        beat(expelled, expelled.client()).problem(401, "unauthenticated");
        expelled.report(part, new RunReport.ReplicaReady(0, 0, "start"))
                .problem(401, "unauthenticated");
        expelled.lease(0).problem(401, "unauthenticated");
        offer(expelled, expelled.client(), credential()).problem(401, "unauthenticated");
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/setback/message").asString(""))
                        .isEqualTo("rank %d on agent-0 was expelled", part.rank()));
        agents.getLast()
                .report(other, new RunReport.ReplicaReady(0, 0, "start"))
                .problem(409, "stale-generation");
        expel(expelled).problem(409, "illegal-state");
        assertThat(notes("worker-expelled", expelled)).hasSize(1);
    }

    /** Covers an expulsion during a lease that waits for work. */
    @Test
    void expelledWorkerGetsNoWorkFromItsWaitingLease() {
        TestingAgent waiting = lab.agents(1).getFirst();
        CompletableFuture<Answer> leased = CompletableFuture.supplyAsync(() -> waiting.lease(2));
        expel(waiting).expect(200);
        String run = project.submitOne(ONE_REPLICA);

        assertThat(leased.join().status()).isIn(204, 401);
        assertThat(project.run(run).path("state").stringValue()).isEqualTo("QUEUED");
    }

    private Answer expel(TestingAgent agent) {
        return lab.administrator().post("/workers/" + agent.id() + "/expel");
    }
}
