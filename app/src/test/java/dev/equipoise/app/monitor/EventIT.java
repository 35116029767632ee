package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.monitor.TestingStream.Event;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.run.Placements;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.testing.Patience;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

@RunningService
@Timeout(Patience.SECONDS)
class EventIT {

    private static final int STREAMS = 12;

    private final TestingLab lab;
    private final EventLog log;
    private final Placements placements;
    private final RunQueue queue;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final TestingLab.Project project;
    private final List<TestingStream> streams = new ArrayList<>();
    private final String token;
    private final String tokenId;

    @LocalServerPort private int port;

    EventIT(
            @Autowired TestingLab lab,
            @Autowired EventLog log,
            @Autowired Placements placements,
            @Autowired RunQueue queue,
            @Autowired JdbcClient database,
            @Autowired TransactionTemplate transaction) {
        this.lab = lab;
        this.log = log;
        this.placements = placements;
        this.queue = queue;
        this.database = database;
        this.transaction = transaction;
        this.project = lab.project();
        JsonNode reader =
                lab.administrator()
                        .post("/tokens", Map.of("name", "reader", "project", project.id()))
                        .expect(201);
        this.token = reader.path("token").stringValue();
        this.tokenId = reader.path("id").stringValue();
    }

    @AfterEach
    void clear() {
        streams.forEach(TestingStream::close);
        lab.clear();
    }

    /** One replica on 1,000 samples with a mini-batch size of 10: 100 rounds. */
    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "events", "dataset": {"name": "mnist", "limit": 1000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}, "restarts": 0}
            """;

    private TestingStream stream(String run, @Nullable Long after) throws Exception {
        return stream(run, token, after);
    }

    private TestingStream stream(String run, String token, @Nullable Long after) throws Exception {
        TestingStream stream = TestingStream.open(place(run), token, after);
        streams.add(stream);
        return stream;
    }

    private TestingStream liveStream(String run, @Nullable Long after) throws Exception {
        TestingStream stream =
                TestingStream.open(URI.create(place(run) + "?live=true"), token, after);
        streams.add(stream);
        return stream;
    }

    private URI place(String run) {
        return URI.create("http://127.0.0.1:%d/api/v1/runs/%s/events".formatted(port, run));
    }

    private void belong(TestingLab.User user) {
        lab.administrator()
                .put(
                        "/projects/%s/members/%s".formatted(project.id(), user.id()),
                        Map.of("role", "viewer"))
                .expect(200);
    }

    /** Browser session of a user with its stream. */
    private record Browser(TestingClient client, TestingStream stream) {}

    private Browser browser(TestingLab.User user, String run) throws Exception {
        Answer session =
                lab.nobody()
                        .post("/session", Map.of("name", user.name(), "password", user.password()));
        String cookie = String.valueOf(session.headers().getFirst("Set-Cookie"));
        cookie = cookie.substring(0, cookie.indexOf(';'));
        TestingStream stream = TestingStream.open(place(run), cookie);
        streams.add(stream);
        return new Browser(
                lab.nobody()
                        .withHeader("Cookie", cookie)
                        .withHeader(
                                "X-CSRF-Token",
                                session.expect(200).path("csrfToken").stringValue()),
                stream);
    }

    private JsonNode page(String run, long after, int limit) {
        return project.member()
                .get("/runs/%s/events?after=%d&limit=%d".formatted(run, after, limit))
                .expect(200);
    }

    private static AgentEvent epoch(int epoch) {
        return TestingEpochs.epoch(
                epoch,
                1000,
                1,
                0.25,
                3,
                10,
                4000,
                0.5,
                new EpochFinished.TestScore(0.75, 0.4),
                "same");
    }

    private static AgentEvent loss(long step, double loss) {
        return new Observed(
                0, Observed.TRAINING_LOSS, 1, List.of(step), List.of(step * 0.1), List.of(loss), 0);
    }

    /** Losses of the first steps; the loss of a step is 1 / step. */
    private static AgentEvent losses(int steps) {
        return new Observed(
                0,
                Observed.TRAINING_LOSS,
                1,
                LongStream.rangeClosed(1, steps).boxed().toList(),
                IntStream.rangeClosed(1, steps).mapToObj(step -> step * 0.1).toList(),
                IntStream.rangeClosed(1, steps).mapToObj(step -> 1.0 / step).toList(),
                0);
    }

    private String submit() {
        return project.submitOne(DEFINITION);
    }

    private Assignment.Training start(TestingAgent agent) {
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        return part;
    }

    private static void finish(TestingAgent agent, Assignment.Training part) {
        agent.tell(
                part,
                new RunReport.RoundReached(0, 1, 7),
                loss(7, 2.5),
                epoch(1),
                epoch(2),
                new Outcome.Finished());
    }

    /** Trains a run to its completion. */
    private String completed() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = submit();
        finish(agent, start(agent));
        return run;
    }

    /** Writes events under the lock of their run, as the service does. */
    private void underLock(String run, Consumer<UUID> writer) {
        UUID id = UUID.fromString(run);
        transaction.executeWithoutResult(_ -> {
            placements.hold(RunId.of(id));
            writer.accept(id);
        });
    }

    private static List<String> types(List<Event> all) {
        return all.stream()
                .map(it -> it.type().equals("state") ? it.state() : it.type())
                .filter(it -> !it.equals("waiting") && !it.equals("prediction"))
                .toList();
    }

    private static List<Long> ids(List<Event> all) {
        return all.stream().map(Event::id).toList();
    }

    @Test
    void readerGetsEventsFromTheQueueToTheEnd() throws Exception {
        String run = submit();
        TestingStream stream = stream(run, null);
        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.type()).startsWith("text/event-stream");
        List<Event> all = new ArrayList<>();
        all.add(stream.next("state"));
        assertThat(stream.next("waiting").data().at("/event/waiting/code").stringValue())
                .isNotBlank();
        TestingAgent agent = lab.agents(1).getFirst();
        Assignment.Training part = start(agent);
        finish(agent, part);

        all.addAll(stream.rest());

        assertThat(types(all))
                .containsExactly(
                        "QUEUED",
                        "PLACED",
                        "placed",
                        "PREPARING",
                        "RUNNING",
                        "progress",
                        "metrics",
                        "epoch",
                        "epoch",
                        "COMPLETED");
        assertThat(ids(all)).isSorted().doesNotHaveDuplicates().doesNotContainNull();
        Event metrics = all.stream().filter(it -> it.type().equals("metrics")).findFirst().get();
        assertThat(metrics.data().at("/event/name").stringValue()).isEqualTo("train/loss");
        assertThat(metrics.data().at("/event/steps/0").intValue()).isEqualTo(7);
        assertThat(metrics.data().at("/event/values/0").doubleValue()).isEqualTo(2.5);
        Event epoch = all.stream().filter(it -> it.type().equals("epoch")).findFirst().get();
        assertThat(epoch.data().at("/event/testAccuracy").doubleValue()).isEqualTo(0.75);
        assertThat(epoch.data().at("/event/step").intValue()).isEqualTo(100);
        assertThat(epoch.data().at("/event/ranks/0/bytes").intValue()).isEqualTo(4000);
    }

    @Test
    void readerResumesWithoutGapOrRepetition() throws Exception {
        String run = completed();
        List<Event> all = stream(run, null).rest();

        for (int i = 0; i < all.size() - 1; i++) {
            assertThat(ids(stream(run, all.get(i).id()).rest()))
                    .isEqualTo(ids(all.subList(i + 1, all.size())));
        }
    }

    @Test
    void readerOfAllEventsOfAnEndedRunGetsNoContent() throws Exception {
        String run = completed();
        Long last = stream(run, null).rest().getLast().id();

        assertThat(stream(run, last).status()).isEqualTo(204);
    }

    @Test
    void liveReaderGetsTheNextEventsWithFewPoints() throws Exception {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = submit();
        Assignment.Training part = start(agent);
        long before = page(run, 0, 100).path("after").longValue();
        TestingStream live = liveStream(run, null);
        agent.tell(part, losses(100));

        Event metrics = live.next("metrics");

        assertThat(metrics.id()).isGreaterThan(before);
        assertThat(metrics.data().at("/event/steps").toString())
                .isEqualTo("[10,20,30,40,50,60,70,80,90,100]");
        assertThat(metrics.data().at("/event/seconds").size()).isEqualTo(10);
        assertThat(metrics.data().at("/event/values/9").doubleValue()).isEqualTo(0.01);
        assertThat(liveStream(run, before).next("metrics").data().at("/event/steps").size())
                .isEqualTo(10);
        assertThat(stream(run, before).next("metrics").data().at("/event/steps").size())
                .isEqualTo(100);
    }

    @Test
    void liveReaderGetsNoEarlierEvents() throws Exception {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = submit();
        Assignment.Training part = start(agent);
        TestingStream live = liveStream(run, null);
        finish(agent, part);

        assertThat(types(live.rest()))
                .doesNotContain("QUEUED", "PLACED", "placed")
                .containsSubsequence("metrics", "epoch", "COMPLETED");
        assertThat(liveStream(run, null).status()).isEqualTo(204);
    }

    @Test
    void eventsAreReadPageByPage() throws Exception {
        String run = completed();
        List<Long> all = ids(stream(run, null).rest());

        List<Long> read = new ArrayList<>();
        long after = 0;
        boolean over = false;
        while (!over) {
            JsonNode page = page(run, after, 3);
            page.path("items").forEach(it -> read.add(it.path("id").longValue()));
            after = page.path("after").longValue();
            over = page.path("over").booleanValue();
        }

        assertThat(read).isEqualTo(all);
        assertThat(page(run, 0, 1).at("/items/0/event/type").stringValue()).isEqualTo("state");
        project.member().get("/runs/" + run + "/events?limit=501").problem(400, "invalid-request");
        project.member().get("/runs/" + run + "/events?after=-1").problem(400, "invalid-request");
    }

    @Test
    void failureEventPrecedesTheFinalState() throws Exception {
        String run = submit();
        TestingStream stream = stream(run, null);
        queue.giveUp(
                RunId.of(UUID.fromString(run)),
                new RunFailure(FailureCause.WORKER, "gone", "it has gone"));

        List<Event> all = stream.rest();

        assertThat(types(all)).endsWith("failure", "FAILED");
        assertThat(all.get(all.size() - 2).data().at("/event/failure/code").stringValue())
                .isEqualTo("gone");
    }

    @Test
    void idleStreamSendsHeartbeats() throws Exception {
        TestingStream stream = stream(submit(), null);

        stream.awaitComment("heartbeat");
        stream.awaitComment("heartbeat");
        stream.awaitComment("heartbeat");
    }

    /** Else a test that misses an event would never end. */
    @Test
    void readerOfAnIdleStreamEndsWithItsTest() throws Exception {
        TestingStream stream = stream(submit(), null);
        stream.awaitComment("heartbeat");

        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(stream::rest);
    }

    @Test
    void readerGetsEventsOfAnotherInstance() throws Exception {
        String run = submit();
        TestingStream stream = stream(run, null);
        stream.awaitComment("heartbeat");

        underLock(
                run,
                id ->
                        database.sql(
                                        """
                                        insert into run_event (run_id, at, type, fleeting, body)
                                        values (:run, now(), 'progress', true,
                                            '{"type":"progress"}')
                                        """)
                                .param("run", id)
                                .update());

        assertThat(stream.next("progress").data().at("/event/type").stringValue())
                .isEqualTo("progress");
    }

    @Test
    void streamEndsWithItsToken() throws Exception {
        TestingStream stream = stream(submit(), null);
        stream.awaitComment("heartbeat");

        lab.administrator().delete("/tokens/" + tokenId).expect(204);

        assertThat(types(stream.rest())).doesNotContain("COMPLETED", "CANCELLED", "FAILED");
    }

    /** A clock that is set back must not delay the next check of the token. */
    @Test
    void streamEndsWithItsTokenEvenIfTheClockIsSetBack() throws Exception {
        TestingStream stream = stream(submit(), null);
        stream.awaitComment("heartbeat");
        lab.clock().advance(Duration.ofHours(-1));
        try {
            lab.administrator().delete("/tokens/" + tokenId).expect(204);

            assertThat(types(stream.rest())).doesNotContain("COMPLETED", "CANCELLED", "FAILED");
        } finally {
            lab.clock().advance(Duration.ofHours(1));
        }
    }

    @Test
    void streamEndsWithItsSession() throws Exception {
        TestingLab.User reader = lab.user();
        belong(reader);
        Browser browser = browser(reader, submit());
        browser.stream().awaitComment("heartbeat");

        browser.client().delete("/session").expect(204);

        assertThat(types(browser.stream().rest())).doesNotContain("COMPLETED");
        browser.client().get("/me").problem(401, "unauthenticated");
    }

    @Test
    void allStreamsOfADisabledUserEnd() throws Exception {
        TestingLab.User reader = lab.user();
        belong(reader);
        String run = submit();
        List<TestingStream> all =
                List.of(stream(run, reader.client().bearer(), null), browser(reader, run).stream());
        for (TestingStream each : all) {
            each.awaitComment("heartbeat");
        }

        lab.administrator().patch("/users/" + reader.id(), Map.of("disabled", true)).expect(200);

        for (TestingStream each : all) {
            assertThat(types(each.rest())).doesNotContain("COMPLETED");
        }
        reader.client().get("/me").problem(401, "unauthenticated");
    }

    @Test
    void concurrentStreamsOfACallerAreLimited() throws Exception {
        String run = submit();
        for (int i = 0; i < STREAMS; i++) {
            stream(run, null).next("state");
        }

        TestingStream rejected = stream(run, null);
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.retryAfter()).isEqualTo("1");
        streams.getFirst().awaitComment("heartbeat");
        assertThat(stream(run, null).status()).isEqualTo(429);

        streams.getFirst().close();
        await().until(() -> stream(run, null).status() == 200);
    }

    @Test
    void streamsOfARevokedTokenFreeTheirSlots() throws Exception {
        TestingLab.User reader = lab.user();
        belong(reader);
        JsonNode lost = reader.client().post("/tokens", Map.of("name", "lost")).expect(201);
        String run = submit();
        for (int i = 0; i < STREAMS; i++) {
            stream(run, lost.path("token").stringValue(), null).next("state");
        }
        String kept = reader.client().bearer();
        assertThat(stream(run, kept, null).status()).isEqualTo(429);

        reader.client().delete("/tokens/" + lost.path("id").stringValue()).expect(204);

        await().until(() -> stream(run, kept, null).status() == 200);
    }

    @Test
    void allReadersGetTheSameEvents() throws Exception {
        String run = submit();
        List<TestingStream> all = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            all.add(stream(run, null));
        }
        TestingAgent agent = lab.agents(1).getFirst();
        finish(agent, start(agent));

        List<Long> first = ids(all.getFirst().rest());
        for (TestingStream each : all.subList(1, all.size())) {
            assertThat(ids(each.rest())).isEqualTo(first);
        }
    }

    @Test
    void strangersAndInvalidRequestsAreRejected() throws Exception {
        String run = submit();

        lab.project().member().get("/runs/" + run + "/events").problem(404, "not-found");
        lab.nobody().get("/runs/" + run + "/events").problem(401, "unauthenticated");
        project.member()
                .get("/runs/%s/events".formatted(UUID.randomUUID()))
                .problem(404, "not-found");
        assertThat(stream(UUID.randomUUID().toString(), null).status()).isEqualTo(404);
        assertThat(stream(run, -1L).status()).isEqualTo(400);
        assertThat(stream(run, lab.project().member().bearer(), null).status()).isEqualTo(404);
        assertThat(stream(run, lab.join("stranger").client().bearer(), null).status())
                .isEqualTo(403);
        assertThat(stream(run, "eqp_nobody", null).status()).isEqualTo(401);
    }

    @Test
    void oldestShortLivedEventsAreDeletedAndReportedAsForgotten() throws Exception {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = submit();
        Assignment.Training part = start(agent);
        underLock(
                run,
                id ->
                        IntStream.rangeClosed(1, 2_500)
                                .mapToObj(it -> new EventLog.Entry("progress", true, progress(it)))
                                .forEach(it -> log.append(id, it)));
        finish(agent, part);

        List<Event> all = stream(run, null).rest();

        assertThat(all.getFirst().type()).isEqualTo("forgotten");
        assertThat(all.getFirst().data().path("to").longValue())
                .isEqualTo(page(run, 0, 1).path("forgottenTo").longValue())
                .isPositive();
        assertThat(types(all)).startsWith("forgotten", "QUEUED", "PLACED").endsWith("COMPLETED");
        assertThat(all.stream().filter(it -> it.type().equals("progress")).count())
                .isBetween(1_990L, 2_010L);
    }

    private static String progress(int round) {
        return """
        {"type": "progress", "progress":
            {"epoch": 1, "epochs": 2, "round": %d, "rounds": 2500, "fraction": 0.1}}
        """
                .formatted(round)
                .replace("\n", "");
    }

    @Test
    void pointsOfEventsAreStoredOnceAndServedWithTheirEvents() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = submit();
        Assignment.Training part = start(agent);
        agent.tell(part, loss(3, 3.5), loss(4, 3.25), loss(7, 2.5));

        assertThat(metricsOf(run))
                .extracting(it -> it.path("steps").toString(), it -> it.path("values").toString())
                .containsExactly(
                        tuple("[3]", "[3.5]"), tuple("[4]", "[3.25]"), tuple("[7]", "[2.5]"));
        assertThat(metricsOf(run).getFirst().path("seconds").get(0).doubleValue()).isEqualTo(0.3);
        assertThat(bodies(run)).hasSize(3).allSatisfy(it -> assertThat(it).doesNotContain("3.5"));
    }

    @Test
    void eventsOfEarlierVersionsKeepTheirPoints() {
        String run = submit();
        String body =
                """
                {"type":"metrics","rank":0,"name":"train/loss","every":1,\
                "steps":[5],"seconds":[0.5],"values":[1.5]}\
                """;
        underLock(run, id -> log.append(id, new EventLog.Entry("metrics", true, body)));

        assertThat(metricsOf(run).getFirst().path("values").toString()).isEqualTo("[1.5]");
    }

    private List<JsonNode> metricsOf(String run) {
        return page(run, 0, 500)
                .path("items")
                .valueStream()
                .map(it -> it.path("event"))
                .filter(it -> it.path("type").stringValue().equals("metrics"))
                .toList();
    }

    private List<String> bodies(String run) {
        return database.sql("select body from run_event where run_id = :run and type = 'metrics'")
                .param("run", UUID.fromString(run))
                .query((row, _) -> row.getString("body"))
                .list();
    }

    @Test
    void newestWaitReasonsAreKept() {
        String run = submit();
        for (int i = 1; i <= 130; i++) {
            queue.recordWaitReason(
                    List.of(RunId.of(UUID.fromString(run))),
                    new WaitReason("reason-" + i, "it waits"));
        }

        long waiting =
                page(run, 0, 500)
                        .path("items")
                        .valueStream()
                        .filter(it -> it.at("/event/type").stringValue().equals("waiting"))
                        .count();
        assertThat(waiting).isBetween(100L, 101L);
    }
}
