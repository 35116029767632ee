package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.Registration;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class AgentIT {

    private final TestingLab lab;
    private final String registration = registration(Credential.random(new SecureRandom()));

    AgentIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String registration(Credential credential) {
        return """
        {"name": "one", "clusterAddress": "a:1", "labels": {},
         "host": {"name": "h", "processors": 1, "threads": 1, "memoryBytes": 1,
                  "system": "Linux", "backend": "oneDNN", "slowDown": 1},
         "credential": "%s"}
        """
                .formatted(credential.text());
    }

    private JsonNode worker(TestingAgent agent) {
        return lab.administrator().get("/workers/" + agent.id()).expect(200);
    }

    private String state(TestingAgent agent) {
        return worker(agent).path("state").stringValue();
    }

    @Test
    void joinTokenAdmitsOneWorker() {
        Registration first = TestingLab.registration("one");
        TestingClient newcomer = lab.nobody().with(lab.joinToken());
        JsonNode admission = newcomer.post("/agents", first).expect(201);

        assertThat(admission.path("clusterName").stringValue())
                .as("random name, so that a stranger does not know it")
                .matches("[0-9a-f-]{36}");
        assertThat(
                        newcomer.post("/agents", TestingLab.registration("one"))
                                .problem(401, "unauthenticated")
                                .path("detail")
                                .stringValue())
                .isEqualTo("The join token has admitted 1 of 1 workers: create another one");
        leave(first, admission);
    }

    /** Covers a reply that is lost on its way to the agent. */
    @Test
    void repeatedRegistrationReturnsSameWorker() {
        Registration registration = TestingLab.registration("lost-answer");
        TestingClient newcomer = lab.nobody().with(lab.joinToken());
        JsonNode first = newcomer.post("/agents", registration).expect(201);
        lab.clock().advance(Duration.ofSeconds(11));
        JsonNode again = newcomer.post("/agents", registration).expect(201);

        assertThat(again.path("worker")).isEqualTo(first.path("worker"));
        assertThat(lab.administrator().get("/workers?limit=500").expect(200).path("items"))
                .filteredOn(it -> it.path("name").stringValue().equals("lost-answer"))
                .hasSize(1);
        lab.nobody()
                .with(registration.credential().text())
                .post(
                        "/agents/" + first.path("worker").stringValue() + "/heartbeat",
                        new Heartbeat("a:1", Set.of(), false, 1.75))
                .expect(200);
        assertThat(lab.administrator().get("/workers/" + first.path("worker").stringValue()))
                .extracting(it -> it.expect(200).path("load").asDouble())
                .as("load that the heartbeat reports")
                .isEqualTo(1.75);
        leave(registration, first);
        assertThat(newcomer.post("/agents", registration).expect(201).path("worker"))
                .as("a worker that has left returns")
                .isEqualTo(first.path("worker"));
        leave(registration, first);
    }

    /** The credential proves which worker it is. */
    @Test
    void spentTokenReturnsTheWorkerOfAKnownCredential() {
        Registration one = TestingLab.registration("one");
        Registration two = TestingLab.registration("two");
        TestingClient newcomer = lab.nobody().with(lab.joinToken());
        JsonNode first = newcomer.post("/agents", one).expect(201);
        JsonNode second = lab.nobody().with(lab.joinToken()).post("/agents", two).expect(201);

        assertThat(newcomer.post("/agents", two).expect(201).path("worker"))
                .isEqualTo(second.path("worker"));
        newcomer.post("/agents", TestingLab.registration("three")).problem(401, "unauthenticated");
        leave(one, first);
        leave(two, second);
    }

    @Test
    void concurrentRegistrationsWithOneTokenAdmitOneWorker() throws Exception {
        TestingClient newcomer = lab.nobody().with(lab.joinToken());

        List<Registration> all =
                Stream.generate(() -> TestingLab.registration("one")).limit(5).toList();

        List<Answer> answers = registerAtOnce(newcomer, all);

        assertThat(answers)
                .extracting(Answer::status)
                .containsExactlyInAnyOrder(201, 401, 401, 401, 401);
        for (int number = 0; number < all.size(); number++) {
            if (answers.get(number).status() == 201) {
                leave(all.get(number), answers.get(number).body());
            }
        }
    }

    /** Covers an agent that repeats its registration without waiting for the reply. */
    @Test
    void concurrentRepeatedRegistrationsCreateOneWorker() throws Exception {
        Registration registration = TestingLab.registration("one");
        TestingClient newcomer = lab.nobody().with(lab.joinToken());

        List<Answer> answers = registerAtOnce(newcomer, Collections.nCopies(5, registration));

        assertThat(answers).allSatisfy(it -> assertThat(it.status()).isEqualTo(201));
        assertThat(answers.stream().map(it -> it.body().path("worker")).distinct()).hasSize(1);
        leave(registration, answers.getFirst().body());
    }

    private static List<Answer> registerAtOnce(TestingClient newcomer, List<Registration> all)
            throws Exception {
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Answer>> calls =
                    all.stream()
                            .<Callable<Answer>>map(it -> () -> newcomer.post("/agents", it))
                            .toList();
            for (Future<Answer> answer : many.invokeAll(calls)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }

    private void leave(Registration registration, JsonNode admission) {
        lab.nobody()
                .with(registration.credential().text())
                .delete("/agents/" + admission.path("worker").stringValue())
                .expect(204);
    }

    @Test
    void registeredWorkerIsListedWithItsDescription() {
        TestingAgent agent = lab.join(TestingLab.registration("described", Map.of("rack", "a")));
        JsonNode worker = worker(agent);

        assertThat(worker.path("state").stringValue()).isEqualTo("JOINING");
        assertThat(worker.path("name").stringValue()).isEqualTo("described");
        assertThat(worker.at("/labels/rack").stringValue()).isEqualTo("a");
        assertThat(worker.at("/host/slowDown").doubleValue()).isEqualTo(1.5);
        assertThat(lab.administrator().get("/workers?state=JOINING").expect(200).path("items"))
                .contains(worker);
        assertThat(lab.administrator().get("/workers?state=LOST,BUSY").expect(200).path("items"))
                .doesNotContain(worker);
    }

    @Test
    void firstHeartbeatMakesWorkerIdleAndReturnsMembers() {
        TestingAgent oldest = lab.join("oldest");
        oldest.beat(List.of(oldest)).expect(200);
        TestingAgent other = lab.join("other");
        JsonNode reply = other.beat(List.of(other, oldest)).expect(200);

        assertThat(reply.path("rejoin").booleanValue()).isFalse();
        assertThat(reply.path("members"))
                .extracting(JsonNode::stringValue)
                .containsExactly("oldest:5701");
        assertThat(state(other)).isEqualTo("IDLE");
        assertThat(worker(other).path("sees")).hasSize(2);
    }

    @Test
    void workerThatDoesNotSeeOldestMustRejoin() {
        TestingAgent oldest = lab.join("oldest");
        oldest.beat(List.of(oldest)).expect(200);
        TestingAgent aside = lab.join("aside");
        aside.beat(List.of(aside)).expect(200);

        assertThat(aside.beat(List.of(aside)).expect(200).path("rejoin").booleanValue()).isTrue();
        assertThat(oldest.beat(List.of(oldest)).expect(200).path("rejoin").booleanValue())
                .isFalse();
    }

    @Test
    void agentCannotActForAnotherWorker() {
        TestingAgent one = lab.join("one");
        TestingAgent two = lab.join("two");

        one.client().delete("/agents/" + two.id()).problem(404, "not-found");
        one.client().post("/agents/" + two.id() + "/lease?wait=0").problem(404, "not-found");
        one.client()
                .post(
                        "/agents/" + two.id() + "/heartbeat",
                        "{\"clusterAddress\": \"a:1\", \"sees\": [], \"draining\": false}")
                .problem(404, "not-found");
    }

    @Test
    void leaseWithoutWorkReturnsAfterWaitTime() {
        TestingAgent agent = lab.agents(1).getFirst();

        assertThat(agent.lease(0).expect(204).isMissingNode()).isTrue();
        agent.lease(1).expect(204);
        agent.lease(31).problem(400, "invalid-request");
        agent.lease(-1).problem(400, "invalid-request");
    }

    @Test
    void leavingRestrictsCredential() {
        TestingAgent agent = lab.agents(1).getFirst();

        agent.client().delete("/agents/" + agent.id()).expect(204);

        assertThat(state(agent)).isEqualTo("LEFT");
        agent.beat(List.of(agent)).problem(401, "unauthenticated");
    }

    @Test
    void drainingHeartbeatMakesWorkerDraining() {
        TestingAgent agent = lab.agents(1).getFirst();

        agent.beat(List.of(agent), true).expect(200);
        agent.beat(List.of(agent), true).expect(200);

        assertThat(state(agent)).isEqualTo("DRAINING");
    }

    @Test
    void silentWorkerIsLostUntilNextHeartbeat() {
        TestingAgent silent = lab.agents(1).getFirst();
        lab.advance(Duration.ofSeconds(21), () -> {});

        await().untilAsserted(() -> assertThat(state(silent)).isEqualTo("LOST"));
        silent.beat(List.of(silent)).expect(200);
        assertThat(state(silent)).isEqualTo("IDLE");
    }

    @Test
    void workerLostForAWeekLeaves() {
        TestingAgent lost = lab.agents(1).getFirst();
        lab.advance(Duration.ofSeconds(21), () -> {});
        await().untilAsserted(() -> assertThat(state(lost)).isEqualTo("LOST"));
        lab.clock().advance(Duration.ofDays(7));

        await().untilAsserted(() -> assertThat(state(lost)).isEqualTo("LEFT"));
        lost.beat(List.of(lost)).problem(401, "unauthenticated");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"name\": \"one\" | \"nome\": \"one\" | name must be given",
                "\"name\": \"one\" | \"name\": \" \" | name must not be blank",
                "\"clusterAddress\": \"a:1\", | '' | clusterAddress must be given",
                "\"labels\": {} | \"labels\": null | labels must be given",
                "\"labels\": {} | \"labels\": {\"a\": null} | labels.a must be given",
                "\"host\": | \"most\": | host must be given",
                "\"processors\": 1 | \"processors\": 0 | processors must be at least 1, but was 0",
                "\"slowDown\": 1 | \"slowDown\": \"NaN\" | slowDown must be at least 1.0, but was NaN",
                "\"credential\": | \"secret\": | credential must be given",
                "\"labels\": {} | \"labels\": {}, \"dataAddress\": \"a\" | dataAddress must be host:port with a port in 1..65535, but was a",
                "eqw_ | eqw_short | credential must be eqw_ and 32 bytes in Base64 for URLs"
            })
    void invalidRegistrationReportsViolatedRule(String part, String wrong, String rule) {
        TestingClient newcomer = lab.nobody().with(lab.joinToken());
        Answer answer = newcomer.post("/agents", registration.replace(part, wrong));

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).singleElement().asString().endsWith(" " + rule);
        newcomer.post("/agents", registration).expect(201);
    }

    @Test
    void registrationLengthsAreLimited() {
        TestingClient newcomer = lab.nobody().with(lab.joinToken());

        assertThat(
                        newcomer.post("/agents", registration.replace("one", "n".repeat(101)))
                                .violations())
                .singleElement()
                .asString()
                .contains("name must have at most 100 characters, but had 101");
        String labels = String.join(",", labels(65));
        assertThat(
                        newcomer.post("/agents", registration.replace("{}", "{" + labels + "}"))
                                .violations())
                .singleElement()
                .asString()
                .contains("labels must hold at most 64, but held 65");
    }

    private static List<String> labels(int count) {
        List<String> labels = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            labels.add("\"l%d\": \"x\"".formatted(number));
        }
        return labels;
    }

    @Test
    void missingFlagIsReported() {
        TestingAgent agent = lab.join("one");
        Answer answer =
                agent.client()
                        .post(
                                "/agents/" + agent.id() + "/heartbeat",
                                "{\"clusterAddress\": \"a:1\", \"sees\": []}");

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).singleElement().asString().startsWith("/draining ");
    }
}
