package dev.equipoise.agent.service;

import static dev.equipoise.testing.Patience.PATIENCE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.checkpoint.CheckpointStream;
import dev.equipoise.agent.checkpoint.RankStatePart;
import dev.equipoise.agent.service.TestingService.Answer;
import dev.equipoise.agent.service.TestingService.Request;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.RunReport.Noted;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** Tests each call of an agent against answers of a proxy, which are not from the service. */
class ProxyAnswersIT {

    private static final RunId RUN = RunId.of(new UUID(7, 9));
    private static final AssignmentId ASSIGNMENT = AssignmentId.of(new UUID(7, 10));
    private static final int EPOCH = 3;
    private static final Registration REGISTRATION =
            new Registration(
                    "alpha",
                    new HostDescription("host", 2, 1, 1L << 30, "Linux amd64", "oneDNN", 1),
                    "127.0.0.1:5701",
                    Map.of(),
                    Credential.random(new SecureRandom()));
    private static final Heartbeat HEARTBEAT = new Heartbeat("127.0.0.1:5701", Set.of(), false);
    private static final Answer ADMISSION =
            Answer.ok(
                    """
                    {"worker":"%s","clusterName":"lab","members":[]}\
                    """
                            .formatted(new UUID(7, 11)));

    private final AtomicReference<Answer> usual = new AtomicReference<>(ADMISSION);
    private final Queue<Answer> first = new ConcurrentLinkedQueue<>();
    private final TestingService service = TestingService.answering(_ -> answer());
    private final TestingTime time = new TestingTime();
    private final List<Noted> notes = new ArrayList<>();

    private Answer answer() {
        Answer next = first.poll();
        return next == null ? usual.get() : next;
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** Call of an agent. */
    @FunctionalInterface
    interface Call {
        void by(ServiceClient client, URI service) throws InterruptedException, IOException;
    }

    static Stream<Arguments> calls() {
        RankStatePart part = part(0);
        CheckpointHeader header = part.header(RUN, 1, EPOCH, 1);
        return Stream.of(
                call("join", (_, url) -> join(url)),
                call("heartbeat", (client, _) -> client.heartbeat(HEARTBEAT)),
                call("drain", (client, _) -> client.drain(HEARTBEAT)),
                call(
                        "renew",
                        (client, _) -> client.renew(Journals.none(), ProxyAnswersIT::credential)),
                call("lease", (client, _) -> client.lease(Duration.ofSeconds(1))),
                call(
                        "report",
                        (client, _) ->
                                client.report(
                                        ASSIGNMENT,
                                        new Report(1, 1, List.of(new Outcome.Finished())))),
                call("order", (client, _) -> client.order(ASSIGNMENT, 0)),
                call(
                        "checkpoint up",
                        (client, _) ->
                                client.keepCheckpoint(
                                        ASSIGNMENT,
                                        header,
                                        () -> new CheckpointStream(header, part))),
                call(
                        "checkpoint down",
                        (client, _) -> client.checkpoint(ASSIGNMENT, 0, InputStream::readAllBytes)),
                call("leave", (client, _) -> client.leave()));
    }

    private static Arguments call(String name, Call call) {
        return Arguments.of(name, call);
    }

    private static ServiceClient join(URI url) throws InterruptedException {
        return ServiceClient.register(ServiceEndpoint.of(url), PATIENCE, "eqj_token", REGISTRATION);
    }

    private static Credential credential() {
        return Credential.random(new SecureRandom());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void answerOfAProxyIsTemporaryForEveryCall(String name, Call call) throws InterruptedException {
        ServiceClient client = join(service.url());

        for (Answer answer : Answer.FROM_PROXIES) {
            usual.set(answer);
            assertThatThrownBy(() -> call.by(client, service.url()))
                    .as("%s, %s", name, answer)
                    .hasMessageStartingWith("the answer %d (".formatted(answer.status()))
                    .hasMessageContaining("is not from an Equipoise service")
                    .isInstanceOfSatisfying(
                            ServiceFailed.class,
                            e -> {
                                assertThat(e.isTemporary()).isTrue();
                                assertThat(e.isRefusedToken()).isFalse();
                                assertThat(e.isUnknownWorker()).isFalse();
                                assertThat(e.isRevocation()).isFalse();
                            });
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void problemOfTheServiceIsFinalForEveryCall(String name, Call call)
            throws InterruptedException {
        ServiceClient client = join(service.url());
        usual.set(
                new Answer(
                        404,
                        "Application/Problem+JSON; charset=UTF-8",
                        "{\"code\":\"not-found\",\"detail\":\"There is none\"}"));

        assertThatThrownBy(() -> call.by(client, service.url()))
                .as(name)
                .hasMessage("the service answered 404 not-found: There is none")
                .isInstanceOfSatisfying(
                        ServiceFailed.class,
                        e -> {
                            assertThat(e.isTemporary()).isFalse();
                            assertThat(e.isUnknownWorker()).isTrue();
                        });
    }

    @Test
    void answerOfAProxyIsNoConsentToACredential() throws InterruptedException {
        ServiceClient client = join(service.url());
        usual.set(new Answer(200, "text/html", "<html>Please sign in</html>"));
        assertThatThrownBy(() -> client.renew(Journals.none(), ProxyAnswersIT::credential))
                .isInstanceOf(ServiceFailed.class);

        usual.set(Answer.NO_CONTENT);
        client.leave();

        assertThat(service.requests())
                .extracting(Request::bearer)
                .last()
                .isEqualTo(REGISTRATION.credential().text());
    }

    @Test
    void checkpointIsFetchedDespiteAProxy() throws Exception {
        RankStatePart stored = part(0.5f);
        CheckpointsAtService checkpoints = checkpoints();
        usual.set(Answer.bytes(new String(bytes(stored), ISO_8859_1)));
        first.addAll(Answer.FROM_PROXIES);
        RankStatePart loaded = part(0);

        long[] numbers = checkpoints.load(loaded);

        assertThat(numbers).containsExactly(18, -5);
        assertThat(loaded.own().getFirst().mismatch(stored.own().getFirst())).isEqualTo(-1);
        assertThat(time.sleeps()).isEqualTo(Answer.FROM_PROXIES.size());
    }

    @Test
    void missingCheckpointIsNotAwaited() throws InterruptedException {
        CheckpointsAtService checkpoints = checkpoints();
        usual.set(Answer.problem(404, "not-found", "There is no checkpoint"));

        assertThatThrownBy(() -> checkpoints.load(part(0)))
                .isInstanceOfSatisfying(
                        AssignmentFailed.class,
                        e ->
                                assertThat(e.toEvent())
                                        .isEqualTo(
                                                new Outcome.Failed(
                                                        FailureCause.WORKER,
                                                        "checkpoint-unavailable",
                                                        "the checkpoint after epoch 3 could not be"
                                                                + " fetched: the service answered"
                                                                + " 404 not-found: There is no"
                                                                + " checkpoint")));
        assertThat(time.sleeps()).isZero();
    }

    /** The service could otherwise stop the run without a checkpoint. */
    @Test
    void answerOfAProxyStoresNoCheckpoint() throws InterruptedException {
        CheckpointsAtService checkpoints = checkpoints();
        first.addAll(Answer.FROM_PROXIES);
        usual.set(Answer.NO_CONTENT);

        for (int i = 0; i < Answer.FROM_PROXIES.size(); i++) {
            assertThat(checkpoints.keep(EPOCH + i, 1, part(0))).isFalse();
        }

        assertThat(notes.getFirst().text())
                .startsWith("could not store its part of the checkpoint after epoch 3, and trains")
                .contains("the answer 404 (text/plain) from " + service.url());
        assertThat(checkpoints.keep(EPOCH, 1, part(0))).isTrue();
    }

    @Test
    void executionOrderIsFetchedDespiteAProxy() throws InterruptedException {
        var decided = new Decided(0, 1, Strand.MAIN, List.of(3, 1));
        ServiceClient client = join(service.url());
        usual.set(
                Answer.ok(
                        JsonMapper.builder()
                                .build()
                                .writeValueAsString(new RecordedOrder(List.of(decided), null))));
        first.addAll(Answer.FROM_PROXIES);
        List<Decided> read = new ArrayList<>();

        new FetchedOrders(client::order, time)
                .read(
                        new Assignment.Simulation(ASSIGNMENT, 1, RUN, TestingPlan.tiny(1)),
                        read::add);

        assertThat(read).containsExactly(decided);
        assertThat(time.sleeps()).isEqualTo(Answer.FROM_PROXIES.size());
    }

    /** An answer that never comes is a lack of capacity, after which the run may restart. */
    @Test
    void executionOrderIsNotAwaitedForever() throws InterruptedException {
        ServiceClient client = join(service.url());
        usual.set(Answer.FROM_PROXIES.getFirst());
        var orders = new FetchedOrders(client::order, time);
        var replay = new Assignment.Simulation(ASSIGNMENT, 1, RUN, TestingPlan.tiny(1));

        assertThatThrownBy(() -> orders.read(replay, _ -> {}))
                .isInstanceOfSatisfying(
                        AssignmentFailed.class,
                        e -> assertThat(e.toEvent().cause()).isEqualTo(FailureCause.CAPACITY));
        assertThat(time.sleeps()).isEqualTo(19);
    }

    private CheckpointsAtService checkpoints() throws InterruptedException {
        return new CheckpointsAtService(
                join(service.url()),
                new Assignment.Training(
                        ASSIGNMENT,
                        1,
                        RUN,
                        0,
                        List.of(WorkerId.of(UUID.randomUUID())),
                        "",
                        TestingPlan.tiny(1)),
                new Checkpointing(EPOCH, 1, 1),
                new RunNotes(0, notes::add),
                () -> ReportReply.NONE,
                time);
    }

    /** Returns a part with two numbers and a tensor of its own. */
    private static RankStatePart part(float value) {
        MemorySegment own = Arena.ofAuto().allocate(JAVA_FLOAT, 5);
        own.setAtIndex(JAVA_FLOAT, 2, value);
        return new RankStatePart(0, List.of(18L, -5L), List.of(), List.of(own));
    }

    private static byte[] bytes(RankStatePart part) throws IOException {
        try (var stream = new CheckpointStream(part.header(RUN, 1, EPOCH, 1), part)) {
            return stream.readAllBytes();
        }
    }
}
