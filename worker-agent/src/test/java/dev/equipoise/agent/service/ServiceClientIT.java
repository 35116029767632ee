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
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Preset;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

    private final AtomicReference<Answer> next =
            new AtomicReference<>(
                    Answer.ok(
                            """
                            {"worker":"%s","clusterName":"lab","members":["127.0.0.1:5700"],
                             "addedLater":1}\
                            """
                                    .formatted(WORKER)));
    private final TestingService service = TestingService.answering(_ -> next.get());

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void registersWithTheJoinTokenAndThenUsesTheCredentialThatItChose()
            throws InterruptedException {
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

    @Test
    void leasesAnAssignment() throws InterruptedException {
        ServiceClient client = register();
        Assignment profiling =
                new Assignment.Profiling(
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
        next.set(Answer.ok(JsonMapper.builder().build().writeValueAsString(profiling)));

        assertThat(client.lease(Duration.ofSeconds(20))).contains(profiling);
        assertThat(service.requests().getLast().path())
                .isEqualTo("/api/v1/agents/" + WORKER + "/lease?wait=20");
    }

    @Test
    void leasesNothingWhenThereIsNothingToDo() throws InterruptedException {
        ServiceClient client = register();
        next.set(Answer.NO_CONTENT);

        assertThat(client.lease(Duration.ofSeconds(1))).isEmpty();
    }

    @Test
    void saysGoodBye() throws InterruptedException {
        ServiceClient client = register();
        next.set(Answer.NO_CONTENT);

        client.leave();

        assertThat(service.requests().getLast().method()).isEqualTo("DELETE");
        assertThat(service.requests().getLast().path()).isEqualTo("/api/v1/agents/" + WORKER);
    }

    @Test
    void aProblemBecomesAnErrorWithItsCodeAndDetail() {
        next.set(Answer.problem(401, "token-unknown", "the join token is not known"));

        assertThatThrownBy(this::register)
                .isInstanceOfSatisfying(
                        ServiceFailed.class,
                        e -> {
                            assertThat(e.isUnknownWorker()).isTrue();
                            assertThat(e.isTemporary()).isFalse();
                        })
                .hasMessage("the service answered 401 token-unknown: the join token is not known");
    }

    @Test
    void anErrorWithoutAProblemIsStillAnError() {
        next.set(new Answer(500, "<html>oops</html>"));

        assertThatThrownBy(this::register)
                .isInstanceOfSatisfying(
                        ServiceFailed.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessage("the service answered 500 without a code: no explanation");
    }

    @Test
    void anAnswerThatIsNotTheServicesIsSaidToBeSo() {
        next.set(Answer.ok("<html>hello</html>"));

        assertThatThrownBy(this::register)
                .isInstanceOf(ServiceFailed.class)
                .hasMessage("what answers at %s is not the service", service.url());
    }

    @Test
    void aLostAnswerIsTemporary() {
        next.set(Answer.LOST);

        assertThatThrownBy(this::register)
                .isInstanceOfSatisfying(
                        ServiceFailed.class, e -> assertThat(e.isTemporary()).isTrue());
    }

    @Test
    void aServiceThatDoesNotRunIsTemporary() {
        URI url = service.url();
        service.close();

        assertThatThrownBy(() -> ServiceClient.register(url, PATIENCE, "eqj_token", REGISTRATION))
                .isInstanceOfSatisfying(
                        ServiceFailed.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessage("no answer from the service at %s", url);
    }

    private ServiceClient register() throws InterruptedException {
        return ServiceClient.register(service.url(), PATIENCE, "eqj_token", REGISTRATION);
    }
}
