package dev.equipoise.agent.service;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.equipoise.agent.service.TestingService.Answer;
import dev.equipoise.agent.service.TestingService.Request;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.testing.Patience;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ServiceClientIT {

    private static final String WORKER = "00000000-0000-0000-0000-000000000001";
    private static final Registration REGISTRATION =
            new Registration(
                    "alpha",
                    new HostDescription("host", 2, 1, 1L << 30, "Linux amd64", "oneDNN", 1),
                    "127.0.0.1:5701",
                    Map.of("zone", "lab"),
                    Credential.random(new SecureRandom()));

    @TempDir private Path folder;

    private final AtomicReference<Answer> next =
            new AtomicReference<>(
                    Answer.ok(
                            """
                            {"worker":"%s","clusterName":"lab","members":["127.0.0.1:5700"],
                             "addedLater":1}\
                            """
                                    .formatted(WORKER)));
    private final AtomicReference<Function<Request, Answer>> behavior =
            new AtomicReference<>(_ -> next.get());
    private final TestingService service =
            TestingService.answering(request -> behavior.get().apply(request));
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.shutdownNow();
        service.close();
    }

    @Test
    void registersWithTheJoinTokenAndThenUsesItsCredential() throws InterruptedException {
        ServiceClient client = register();
        assertThat(client.admission().worker()).hasToString(WORKER);
        assertThat(client.admission().members()).containsExactly("127.0.0.1:5700");

        next.set(Answer.ok("{\"rejoin\":true,\"leave\":false,\"members\":[\"127.0.0.1:5700\"]}"));
        var reply = client.heartbeat(new Heartbeat("127.0.0.1:5701", Set.of(), false));

        assertThat(reply.rejoin()).isTrue();
        assertThat(service.requests())
                .extracting(Request::method, Request::path, Request::bearer)
                .containsExactly(
                        tuple("POST", "/api/v1/agents", "eqj_token"),
                        tuple(
                                "POST",
                                "/api/v1/agents/" + WORKER + "/heartbeat",
                                REGISTRATION.credential().text()));
        assertThat(service.requests().getFirst().body())
                .contains("\"credential\":\"%s\"".formatted(REGISTRATION.credential().text()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/equipoise", "/equipoise/"})
    void pathOfTheServicePrecedesThatOfTheApi(String path) throws InterruptedException {
        URI below = URI.create(service.url() + path);

        ServiceClient client =
                ServiceClient.register(
                        ServiceEndpoint.of(below), PATIENCE, "eqj_token", REGISTRATION);
        next.set(Answer.NO_CONTENT);
        client.leave();

        assertThat(service.requests())
                .extracting(Request::path)
                .containsExactly("/equipoise/api/v1/agents", "/equipoise/api/v1/agents/" + WORKER);
    }

    @Test
    void failureNamesThePathOfTheService() {
        next.set(new Answer(404, "text/html", "<html>404 Not Found</html>"));
        URI below = URI.create(service.url() + "/equipoise/");

        assertThatThrownBy(() ->
                        ServiceClient.register(
                                ServiceEndpoint.of(below), PATIENCE, "eqj_token", REGISTRATION))
                .hasMessageContaining("from %s/equipoise is not", service.url());
    }

    @Test
    void leasesAnAssignment() throws InterruptedException {
        ServiceClient client = register();
        Assignment profiling = profiling();
        next.set(Answer.ok(JsonMapper.builder().build().writeValueAsString(profiling)));

        assertThat(client.lease(Duration.ofSeconds(20))).contains(profiling);
        assertThat(service.requests().getLast().path())
                .isEqualTo("/api/v1/agents/" + WORKER + "/lease?wait=20");
    }

    /** The service is newer; the agent continues to lease assignments that it understands. */
    @ParameterizedTest
    @CsvSource({
        "'\"kind\":\"fixed\"', '\"kind\":\"drawn\"', /measurements/0/points",
        "'\"kind\":\"profiling\"', '\"kind\":\"tasting\"', /",
        "'{\"relu\":{}}', '{\"gelu\":{\"exact\":true}}', /network/layers/1"
    })
    void unknownAssignmentIsRejectedWithTheReason(String known, String unknown, String where)
            throws InterruptedException {
        ServiceClient client = register();
        Assignment profiling = profiling();
        String newer = json(profiling).replace(known, unknown);
        assertThat(newer).isNotEqualTo(json(profiling));
        behavior.set(request ->
                request.path().contains("/lease") ? Answer.ok(newer) : Answer.NO_CONTENT);

        assertThat(client.lease(Duration.ofSeconds(1))).isEmpty();

        Request told = service.requests().getLast();
        assertThat(told.path())
                .isEqualTo("/api/v1/assignments/%s/events".formatted(profiling.id()));
        Report report = JsonMapper.builder().build().readValue(told.body(), Report.class);
        assertThat(report)
                .isEqualTo(
                        new Report(
                                profiling.generation(),
                                1,
                                List.of(
                                        new Outcome.Failed(
                                                FailureCause.WORKER,
                                                "agent-too-old",
                                                ("the agent, of version %s, is older than the"
                                                                + " service and does not understand"
                                                                + " its assignment at %s: install"
                                                                + " the service's version")
                                                        .formatted(SoftwareVersion.OWN, where)))));
        behavior.set(_ -> Answer.ok(json(profiling)));
        assertThat(client.lease(Duration.ofSeconds(1))).contains(profiling);
    }

    /** The service assigns the work again, or has done so. */
    @Test
    void failureToRejectAnUnknownAssignmentIsHarmless() throws InterruptedException {
        ServiceClient client = register();
        String newer = json(profiling()).replace("\"profiling\"", "\"tasting\"");
        behavior.set(request ->
                request.path().contains("/lease")
                        ? Answer.ok(newer)
                        : Answer.problem(409, "stale-generation", "It is over"));

        assertThat(client.lease(Duration.ofSeconds(1))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"x\"", "null", "{\"kind\": \"tasting\"}", "<html>oops</html>"})
    void answerWithoutAnAssignmentIsNotTheServices(String answer) throws InterruptedException {
        ServiceClient client = register();
        next.set(Answer.ok(answer));

        assertThatThrownBy(() -> client.lease(Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(
                        ServiceFailed.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessage(
                        "the answer 200 (application/json) from %s is not from an Equipoise"
                                + " service; check the address and any proxy in between",
                        service.url());
    }

    private static String json(Assignment assignment) {
        return JsonMapper.builder()
                .build()
                .writerFor(Assignment.class)
                .writeValueAsString(assignment);
    }

    @Test
    void leasesNothingWithoutWork() throws InterruptedException {
        ServiceClient client = register();
        next.set(Answer.NO_CONTENT);

        assertThat(client.lease(Duration.ofSeconds(1))).isEmpty();
    }

    @Test
    void tellsTheServiceThatItLeaves() throws InterruptedException {
        ServiceClient client = register();
        next.set(Answer.NO_CONTENT);

        client.leave();

        assertThat(service.requests().getLast().method()).isEqualTo("DELETE");
        assertThat(service.requests().getLast().path()).isEqualTo("/api/v1/agents/" + WORKER);
    }

    @Test
    void usesANewCredentialOnceTheServiceHasTakenIt() throws InterruptedException {
        ServiceClient client = register();
        next.set(Answer.LOST);
        assertThatThrownBy(() -> client.renew(Journals.none(), ServiceClientIT::credential))
                .isInstanceOf(ServiceFailed.class);
        next.set(Answer.NO_CONTENT);
        client.leave();
        assertThat(service.requests().getLast().bearer())
                .as("while it is unknown whether the service took it")
                .isEqualTo(REGISTRATION.credential().text());

        client.renew(Journals.none(), ServiceClientIT::credential);
        client.leave();

        List<Request> all = service.requests();
        assertThat(all)
                .extracting(Request::method)
                .containsExactly("POST", "PUT", "DELETE", "PUT", "DELETE");
        assertThat(all.get(3)).as("the same credential is offered again").isEqualTo(all.get(1));
        assertThat(all.get(3).path()).isEqualTo("/api/v1/agents/" + WORKER + "/credential");
        assertThat(all.get(4).bearer()).isNotEqualTo(REGISTRATION.credential().text());
        assertThat(all.get(3).body())
                .isEqualTo("{\"credential\":\"%s\"}".formatted(all.get(4).bearer()));
    }

    /**
     * Emulates a request that was sent before the service got the new credential, and arrived
     * later.
     */
    @Test
    void repeatsARequestWithAnOutdatedCredential() throws Exception {
        ServiceClient client = register();
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch renewed = new CountDownLatch(1);
        behavior.set(request -> {
            if (!request.bearer().equals(REGISTRATION.credential().text())
                    || request.method().equals("PUT")) {
                return Answer.NO_CONTENT;
            }
            waiting.countDown();
            await(renewed);
            return Answer.problem(401, "unauthenticated", "The token is not known here");
        });
        Future<?> lease = threads.submit(() -> client.lease(Duration.ofSeconds(1)));
        await(waiting);

        client.renew(Journals.none(), ServiceClientIT::credential);
        renewed.countDown();

        assertThat(lease.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(Optional.empty());
    }

    /** The service has its earlier state again. */
    @Test
    void restoredServiceGetsThePreviousCredential() throws InterruptedException {
        ServiceClient client = register();
        next.set(Answer.NO_CONTENT);
        Journals journals = Journals.open(folder);
        new Outbox(client.journal(journals, profiling()))
                .add(new RunReport.ReplicaReady(0, 1, "00"));
        client.renew(journals, ServiceClientIT::credential);
        String known = REGISTRATION.credential().text();
        behavior.set(request ->
                request.bearer().equals(known)
                        ? Answer.NO_CONTENT
                        : Answer.problem(401, "unauthenticated", "The token is not known here"));

        assertThat(client.lease(Duration.ofSeconds(1))).isEmpty();
        assertThat(client.lease(Duration.ofSeconds(1))).isEmpty();

        assertThat(service.requests())
                .extracting(Request::bearer)
                .endsWith(known, known)
                .as("detected once")
                .hasSize(5);
        journals.close();
        try (Journals after = Journals.open(folder)) {
            assertThat(after.left(service.url()))
                    .as("a later process uses it too")
                    .extracting(it -> it.owner().credential())
                    .containsExactly(REGISTRATION.credential());
        }
    }

    private static Assignment profiling() {
        return new Assignment.Profiling(
                AssignmentId.of(UUID.randomUUID()),
                1,
                UUID.randomUUID(),
                0,
                List.of(WorkerId.of(UUID.fromString(WORKER))),
                "",
                Preset.MNIST_CNN.architecture(),
                List.of(
                        new Assignment.Measurement(
                                new Kernel.Gemm(), new Points.Fixed(List.of(8, 16)))),
                Precision.DEFAULT,
                1);
    }

    private static Credential credential() {
        return Credential.random(new SecureRandom());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void problemBecomesAnErrorWithItsCodeAndDetail() {
        next.set(Answer.problem(401, "unauthenticated", "the join token is not known"));

        assertThatThrownBy(this::register)
                .isInstanceOfSatisfying(
                        ServiceFailed.class,
                        e -> {
                            assertThat(e.isUnknownWorker()).isTrue();
                            assertThat(e.isRefusedToken()).isTrue();
                            assertThat(e.isTemporary()).isFalse();
                        })
                .hasMessage(
                        "the service answered 401 unauthenticated: the join token is not known");
    }

    @Test
    void errorWithoutAProblemIsAnError() {
        next.set(new Answer(500, "text/html", "<html>oops</html>"));

        assertThatThrownBy(this::register)
                .isInstanceOfSatisfying(
                        ServiceFailed.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessage(
                        "the answer 500 (text/html) from %s is not from an Equipoise service;"
                                + " check the address and any proxy in between",
                        service.url());
    }

    @Test
    void lostAnswerIsTemporary() {
        next.set(Answer.LOST);

        assertThatThrownBy(this::register)
                .isInstanceOfSatisfying(
                        ServiceFailed.class, e -> assertThat(e.isTemporary()).isTrue());
    }

    @Test
    void stoppedServiceIsTemporary() {
        URI url = service.url();
        service.close();

        assertThatThrownBy(() ->
                        ServiceClient.register(
                                ServiceEndpoint.of(url), PATIENCE, "eqj_token", REGISTRATION))
                .isInstanceOfSatisfying(
                        ServiceFailed.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessage("no answer from the service at %s: cannot connect", url);
    }

    private ServiceClient register() throws InterruptedException {
        return ServiceClient.register(service.endpoint(), PATIENCE, "eqj_token", REGISTRATION);
    }
}
