package dev.equipoise.app.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class LinkFigureIT {

    private static final String BY_LINK =
            """
            {"apiVersion": "equipoise/v1", "name": "ring", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 3}, "topology": {"kind": "all-reduce", "order": "by-link"}}
            """;

    private final TestingLab lab;

    LinkFigureIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private String request(List<TestingAgent> agents) {
        return lab.administrator()
                .post("/links/measurements", of(agents))
                .expect(202)
                .path("id")
                .stringValue();
    }

    private static Map<String, Object> of(List<TestingAgent> agents) {
        return Map.of("workers", agents.stream().map(TestingAgent::id).toList());
    }

    private JsonNode measurement(String id) {
        return lab.administrator().get("/links/measurements/" + id).expect(200);
    }

    private void assertState(String id, String state) {
        await().untilAsserted(() ->
                assertThat(measurement(id).path("state").stringValue()).isEqualTo(state));
    }

    /** An agent with its leased assignment. */
    private record Rank(TestingAgent agent, LinkProfiling work) {}

    private static List<Rank> lease(List<TestingAgent> agents) {
        return agents.stream()
                .map(agent -> new Rank(agent, (LinkProfiling) agent.work()))
                .sorted(Comparator.comparingInt(rank -> rank.work().rank()))
                .toList();
    }

    private static AgentEvent link(int low, int high) {
        return new LinkReport.LinkMeasured(
                new MeasuredLink(low, high, (low + high) * 0.25, 0.125, 0.5));
    }

    private static AgentEvent allReduce(int ranks) {
        return new LinkReport.AllReduceMeasured(
                new MeasuredAllReduce(Topology.Algorithm.RING, ranks, 1000, 0.25));
    }

    private static void measure(List<Rank> ranks) {
        List<AgentEvent> found = new ArrayList<>();
        for (int low = 0; low < ranks.size(); low++) {
            for (int high = low + 1; high < ranks.size(); high++) {
                found.add(link(low, high));
            }
        }
        found.add(allReduce(2));
        tell(ranks.getFirst(), found.toArray(AgentEvent[]::new));
        ranks.forEach(rank -> tell(rank, new Outcome.Finished()));
    }

    private static void tell(Rank rank, AgentEvent... events) {
        rank.agent().tell(rank.work(), events);
    }

    private static List<String> texts(List<WorkerId> workers) {
        return workers.stream().map(WorkerId::toString).toList();
    }

    @Test
    void measurementStoresLinksBetweenAllWorkers() {
        List<TestingAgent> agents = lab.agents(3);
        String id = request(agents);
        List<Rank> ranks = lease(agents);

        assertThat(ranks).extracting(rank -> rank.work().rank()).containsExactly(0, 1, 2);
        assertThat(ranks)
                .extracting(rank -> rank.work().key())
                .containsOnly(ranks.getFirst().work().key());
        assertThat(ranks.getFirst().work().peers())
                .containsExactlyElementsOf(ranks.stream().map(rank -> rank.agent().id()).toList());
        assertThat(measurement(id).path("state").stringValue()).isEqualTo("MEASURING");
        measure(ranks);

        assertState(id, "COMPLETE");
        JsonNode links = lab.administrator().get("/links").expect(200).path("items");
        assertThat(links).hasSize(3);
        assertThat(links)
                .extracting(it -> it.path("alphaSeconds").doubleValue())
                .containsExactlyInAnyOrder(0.25, 0.5, 0.75);
        assertThat(links)
                .filteredOn(it -> it.path("alphaSeconds").doubleValue() == 0.75)
                .singleElement()
                .satisfies(it ->
                        assertThat(it.path("between"))
                                .extracting(JsonNode::stringValue)
                                .containsExactlyElementsOf(
                                        texts(ranks.getFirst().work().peers().subList(1, 3))));
    }

    @Test
    void newestCostsOfALinkCount() {
        List<TestingAgent> agents = lab.agents(2);
        request(agents);
        measure(lease(agents));
        request(agents);
        List<Rank> ranks = lease(agents);
        tell(
                ranks.getFirst(),
                new LinkReport.LinkMeasured(new MeasuredLink(0, 1, 7, 0.125, 0)),
                allReduce(2));
        ranks.forEach(rank -> tell(rank, new Outcome.Finished()));

        assertThat(lab.administrator().get("/links").expect(200).path("items"))
                .singleElement()
                .satisfies(it -> assertThat(it.path("alphaSeconds").doubleValue()).isEqualTo(7));
    }

    @Test
    void linksOutliveTheReturnOfAWorker() {
        List<Registration> registrations =
                List.of(TestingLab.registration("one"), TestingLab.registration("two"));
        List<TestingAgent> agents = registrations.stream().map(lab::join).toList();
        TestingLab.beat(agents);
        String id = request(agents);
        measure(lease(agents));
        assertState(id, "COMPLETE");

        agents.getFirst().client().post("/agents", registrations.getFirst()).expect(201);
        TestingLab.beat(agents);

        assertThat(lab.administrator().get("/links").expect(200).path("items")).hasSize(1);
    }

    @Test
    void runByLinkWaitsForMeasurementAndGetsTheLinks() {
        List<TestingAgent> agents = lab.agents(3);
        TestingLab.Project project = lab.project();
        String run = project.submitOne(BY_LINK);
        List<Rank> ranks = lease(agents);
        assertThat(project.run(run).at("/waiting/code").stringValue()).isEqualTo("profiling-links");
        measure(ranks);

        var training = agents.getFirst().training();

        assertThat(training.plan().links()).hasSize(3);
        for (MeasuredLink link : training.plan().links()) {
            int low = ranks.getFirst().work().peers().indexOf(training.peers().get(link.low()));
            int high = ranks.getFirst().work().peers().indexOf(training.peers().get(link.high()));
            assertThat(link.alphaSeconds()).isEqualTo((low + high) * 0.25);
        }
        assertThat(agents.getLast().training().plan()).isEqualTo(training.plan());
    }

    @Test
    void repeatedlyFailedLinkMeasurementFailsTheRun() {
        List<TestingAgent> agents = lab.agents(3);
        TestingLab.Project project = lab.project();
        String run = project.submitOne(BY_LINK);
        for (int time = 0; time < 3; time++) {
            fail(lease(agents));
            // A worker whose assignment was revoked becomes idle when it asks for work.
            agents.forEach(agent -> agent.lease(0).expect(204));
        }

        await().untilAsserted(() ->
                assertThat(project.run(run).at("/failure/message").asString())
                        .isEqualTo(
                                "3 workers failed 3 times in a row to measure the links between"
                                        + " them, the last time: rank 0: peer-lost: nobody there"));
    }

    /** Fails the measurement; the other ranks learn it from the response to their reports. */
    private static void fail(List<Rank> ranks) {
        var failed = new Outcome.Failed(FailureCause.WORKER, "peer-lost", "nobody there");
        tell(ranks.getFirst(), failed);
        ranks.subList(1, ranks.size())
                .forEach(rank ->
                        rank.agent().report(rank.work(), failed).problem(409, "stale-generation"));
    }

    @Test
    void measurementFailsWithADepartedWorker() {
        List<TestingAgent> agents = lab.agents(2);
        String id = request(agents);
        List<Rank> ranks = lease(agents);
        ranks.getLast().agent().leave();

        assertThat(measurement(id).path("state").stringValue()).isEqualTo("FAILED");
        assertThat(measurement(id).path("failure").stringValue()).endsWith(" left");
        Rank other = ranks.getFirst();
        other.agent().report(other.work(), link(0, 1)).problem(409, "stale-generation");
    }

    @Test
    void measurementWithMissingLinksFails() {
        List<TestingAgent> agents = lab.agents(3);
        String id = request(agents);
        List<Rank> ranks = lease(agents);
        tell(ranks.getFirst(), link(0, 1));
        ranks.forEach(rank -> tell(rank, new Outcome.Finished()));

        assertThat(measurement(id).path("failure").stringValue())
                .isEqualTo("rank 0 reported 1 of 3 links");
        assertThat(lab.administrator().get("/links").expect(200).path("items")).isEmpty();
    }

    @Test
    void measurementWithoutAllReducesFails() {
        List<TestingAgent> agents = lab.agents(2);
        String id = request(agents);
        List<Rank> ranks = lease(agents);
        tell(ranks.getFirst(), link(0, 1));
        ranks.forEach(rank -> tell(rank, new Outcome.Finished()));

        assertThat(measurement(id).path("failure").stringValue())
                .isEqualTo("rank 0 reported no all-reduces");
    }

    @Test
    void duplicateAndOutOfRangeAllReducesAreRejected() {
        List<TestingAgent> agents = lab.agents(2);
        request(agents);
        Rank first = lease(agents).getFirst();
        tell(first, allReduce(2));

        first.agent().report(first.work(), allReduce(2)).problem(400, "invalid-request");
        first.agent().report(first.work(), allReduce(3)).problem(400, "invalid-request");
    }

    /** The measurement for a run reserves no other workers. */
    @Test
    void measurementCoversAsManyWorkersAsTheRunNeeds() {
        List<TestingAgent> agents = lab.agents(6);
        TestingLab.Project project = lab.project();
        String run = project.submitOne(BY_LINK);
        List<Rank> ranks = lease(agents.subList(0, 3));

        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/code").stringValue())
                        .isEqualTo("profiling-links"));
        assertThat(agents.getLast().lease(1).status()).isEqualTo(204);
        measure(ranks);

        assertThat(agents.getFirst().training().peers())
                .containsExactlyInAnyOrderElementsOf(ranks.getFirst().work().peers());
    }

    @Test
    void administratorCancelsMeasurement() {
        List<TestingAgent> agents = lab.agents(2);
        String id = request(agents);
        List<Rank> ranks = lease(agents);

        lab.project()
                .member()
                .post("/links/measurements/" + id + "/cancel")
                .problem(403, "forbidden");
        JsonNode canceled =
                lab.administrator().post("/links/measurements/" + id + "/cancel").expect(200);

        assertThat(canceled.path("failure").stringValue()).isEqualTo("canceled");
        Rank one = ranks.getFirst();
        one.agent().report(one.work(), link(0, 1)).problem(409, "stale-generation");
    }

    @Test
    void duplicateLinkIsRejected() {
        List<TestingAgent> agents = lab.agents(2);
        request(agents);
        Rank first = lease(agents).getFirst();

        tell(first, link(0, 1));
        first.agent().report(first.work(), link(0, 1)).problem(400, "invalid-request");
    }

    @Test
    void onlyRankZeroReportsLinksOfExistingRanks() {
        List<TestingAgent> agents = lab.agents(2);
        request(agents);
        List<Rank> ranks = lease(agents);

        ranks.getLast()
                .agent()
                .report(ranks.getLast().work(), link(0, 1))
                .problem(400, "invalid-request");
        ranks.getFirst()
                .agent()
                .report(ranks.getFirst().work(), link(0, 2))
                .problem(400, "invalid-request");
        ranks.getFirst()
                .agent()
                .report(ranks.getFirst().work(), new RunReport.RoundReached(0, 1, 1))
                .problem(400, "invalid-request");
    }

    @Test
    void repeatedRequestReturnsUnfinishedMeasurement() {
        List<TestingAgent> agents = lab.agents(2);
        String id = request(agents);

        assertThat(request(agents.reversed())).isEqualTo(id);
        assertThat(
                        lab.administrator()
                                .get("/links/measurements")
                                .expect(200)
                                .path("items")
                                .get(0)
                                .path("id")
                                .asString())
                .as("the newest request")
                .isEqualTo(id);
    }

    @Test
    void invalidRequestsAreRejected() {
        List<TestingAgent> agents = lab.agents(2);
        TestingAgent one = agents.getFirst();
        var administrator = lab.administrator();

        assertThat(administrator.post("/links/measurements", of(List.of(one, one))).violations())
                .singleElement()
                .asString()
                .startsWith("/workers must name each worker once");
        administrator.post("/links/measurements", of(List.of(one))).problem(400, "invalid-request");
        administrator
                .post(
                        "/links/measurements",
                        Map.of("workers", List.of(one.id(), UUID.randomUUID())))
                .problem(404, "not-found");
        one.leave();
        administrator.post("/links/measurements", of(agents)).problem(409, "illegal-state");
        administrator.get("/links/measurements/" + UUID.randomUUID()).problem(404, "not-found");
    }

    @Test
    void membersReadLinksButCannotRequestMeasurements() {
        List<TestingAgent> agents = lab.agents(2);
        var member = lab.project().member();

        member.get("/links").expect(200);
        member.post("/links/measurements", of(agents)).problem(403, "forbidden");
        lab.nobody().get("/links").problem(401, "unauthenticated");
        agents.getFirst().client().get("/links").problem(403, "forbidden");
    }
}
