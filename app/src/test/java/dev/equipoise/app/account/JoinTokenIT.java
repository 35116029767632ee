package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
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

/** Tests join tokens that admit several workers, their list and their end. */
@RunningService
class JoinTokenIT {

    private final TestingLab lab;
    private final Tokens tokens;

    JoinTokenIT(@Autowired TestingLab lab, @Autowired Tokens tokens) {
        this.lab = lab;
        this.tokens = tokens;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private JsonNode create(Map<String, Object> wanted) {
        return lab.administrator().post("/join-tokens", wanted).expect(201);
    }

    private TestingAgent join(JsonNode token, Registration registration) {
        return lab.admit(
                lab.register(token.path("token").stringValue(), registration), registration);
    }

    private TestingClient newcomer(JsonNode token) {
        return lab.nobody().with(token.path("token").stringValue());
    }

    private JsonNode entry(JsonNode token) {
        return lab.administrator()
                .get("/join-tokens?limit=500")
                .expect(200)
                .path("items")
                .valueStream()
                .filter(it -> it.path("id").equals(token.path("id")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tokenAdmitsAsManyWorkersAsItHasUses() {
        JsonNode token = create(Map.of("name", "rack", "uses", 2));
        Registration first = TestingLab.registration("first");
        Set<UUID> workers = new HashSet<>();
        workers.add(join(token, first).id().value());
        assertThat(entry(token).path("admitted").intValue()).isEqualTo(1);
        workers.add(join(token, TestingLab.registration("second")).id().value());

        assertThat(workers).hasSize(2);
        assertThat(
                        newcomer(token)
                                .post("/agents", TestingLab.registration("third"))
                                .problem(401, "unauthenticated")
                                .path("detail")
                                .stringValue())
                .isEqualTo("The join token has admitted 2 of 2 workers: create another one");
        assertThat(newcomer(token).post("/agents", first).expect(201).path("worker").stringValue())
                .as("a repeated registration is no further use")
                .isIn(workers.stream().map(UUID::toString).toList());
        assertThat(entry(token).path("admitted").intValue()).isEqualTo(2);
        assertThat(entry(token).path("uses").intValue()).isEqualTo(2);
        assertThat(entry(token).path("name").stringValue()).isEqualTo("rack");
        assertThat(Instant.parse(entry(token).path("usedAt").stringValue()))
                .isBeforeOrEqualTo(lab.clock().instant());
    }

    @Test
    void tokenTellsWhichWorkersItHasAdmitted() {
        JsonNode token = create(Map.of("name", "rack", "uses", 2));
        String path = "/join-tokens/" + token.path("id").stringValue();
        JsonNode unused = lab.administrator().get(path).expect(200);
        TestingAgent first = join(token, TestingLab.registration("first"));
        TestingAgent second = join(token, TestingLab.registration("second"));
        var _ = join(create(Map.of()), TestingLab.registration("of-another-token"));

        JsonNode used = lab.administrator().get(path).expect(200);

        assertThat(unused.path("workers")).isEmpty();
        assertThat(used.path("workers").valueStream().map(JsonNode::stringValue))
                .containsExactly(first.id().toString(), second.id().toString());
        assertThat(used.at("/token/name").stringValue()).isEqualTo("rack");
        assertThat(used.at("/token/admitted").intValue()).isEqualTo(2);
        assertThat(used.toString()).doesNotContain("eqj_");

        second.leave();
        lab.administrator().delete("/workers/" + second.id()).expect(204);

        assertThat(lab.administrator().get(path).expect(200).path("workers"))
                .as("without the removed worker")
                .hasSize(1);
    }

    @Test
    void onlyAdministratorsSeeAJoinToken() {
        String path = "/join-tokens/" + create(Map.of()).path("id").stringValue();

        lab.user().client().get(path).problem(403, "forbidden");
        lab.administrator().get("/join-tokens/" + UUID.randomUUID()).problem(404, "not-found");
    }

    @Test
    void concurrentRegistrationsDoNotExceedTheUses() throws Exception {
        JsonNode token = create(Map.of("uses", 3));
        List<Registration> all =
                Stream.generate(() -> TestingLab.registration("many")).limit(8).toList();
        List<Callable<Answer>> calls =
                all.stream()
                        .<Callable<Answer>>map(it -> () -> newcomer(token).post("/agents", it))
                        .toList();
        int admitted = 0;
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = many.invokeAll(calls);
            for (int i = 0; i < answers.size(); i++) {
                Answer answer = answers.get(i).get();
                if (answer.status() == 201) {
                    admitted++;
                    var _ = lab.admit(answer, all.get(i));
                } else {
                    answer.problem(401, "unauthenticated");
                }
            }
        }

        assertThat(admitted).isEqualTo(3);
        assertThat(entry(token).path("admitted").intValue()).isEqualTo(3);
    }

    @Test
    void revokedTokenAdmitsNobodyAndItsWorkersStay() {
        JsonNode token = create(Map.of("uses", 1000));
        TestingAgent agent = join(token, TestingLab.registration("early"));

        lab.administrator().delete("/join-tokens/" + token.path("id").stringValue()).expect(204);

        newcomer(token)
                .post("/agents", TestingLab.registration("late"))
                .problem(401, "unauthenticated");
        agent.beat(List.of(agent)).expect(200);
        lab.administrator()
                .delete("/join-tokens/" + token.path("id").stringValue())
                .problem(404, "not-found");
        JsonNode last = lab.administrator().get("/audit?limit=1").expect(200);
        assertThat(last.at("/items/0/action").stringValue()).isEqualTo("join-token-revoked");
    }

    /** The request is authenticated before the token ends, and locks it after that. */
    @Test
    void tokenThatEndsDuringARegistrationTellsHow() {
        JsonNode revoked = create(Map.of("uses", 2));
        lab.administrator().delete("/join-tokens/" + revoked.path("id").stringValue()).expect(204);
        Instant expiry = lab.clock().instant().plus(Duration.ofHours(1));
        JsonNode expired = create(Map.of("expiresAt", expiry.toString()));
        lab.clock().advance(Duration.ofHours(1));

        assertRefused(revoked, "The join token was revoked: create another one");
        assertRefused(expired, "The join token has expired: create another one");
    }

    private void assertRefused(JsonNode token, String reason) {
        var newcomer = new Caller.Newcomer(UUID.fromString(token.path("id").stringValue()));
        Credential credential = TestingLab.registration("late").credential();

        assertThatThrownBy(() -> tokens.joined(newcomer, credential))
                .isInstanceOf(Problem.class)
                .hasMessage(reason);
    }

    @Test
    void tokenExpiresWhenItsCreatorSays() {
        Instant expiry = lab.clock().instant().plus(Duration.ofHours(30));
        JsonNode token = create(Map.of("uses", 5, "expiresAt", expiry.toString()));
        assertThat(Instant.parse(token.path("expiresAt").stringValue())).isEqualTo(expiry);
        TestingAgent agent = join(token, TestingLab.registration("early"));
        agent.leave();
        lab.clock().advance(Duration.ofHours(30));

        newcomer(token)
                .post("/agents", TestingLab.registration("late"))
                .problem(401, "unauthenticated");
    }

    @ParameterizedTest
    @CsvSource({"0", "1001", "-1"})
    void usesAreLimited(int uses) {
        Answer answer = lab.administrator().post("/join-tokens", Map.of("uses", uses));

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).singleElement().asString().startsWith("/uses");
    }

    @ParameterizedTest
    @CsvSource({"-1", "0", "7777000"})
    void expiryIsLimitedTo90Days(long seconds) {
        Answer answer =
                lab.administrator()
                        .post(
                                "/join-tokens",
                                Map.of(
                                        "expiresAt",
                                        lab.clock().instant().plusSeconds(seconds).toString()));

        answer.problem(400, "invalid-request");
        assertThat(answer.violations())
                .singleElement()
                .asString()
                .contains("/expiresAt must be in the future, at most 90 days ahead");
    }

    @Test
    void listIsPagedAndShowsNoSecret() {
        JsonNode older = create(Map.of("name", "older"));
        lab.clock().advance(Duration.ofSeconds(1));
        JsonNode newer = create(Map.of("name", "newer"));

        JsonNode page = lab.administrator().get("/join-tokens?limit=1").expect(200);
        JsonNode next =
                lab.administrator()
                        .get("/join-tokens?limit=1&cursor=" + page.path("next").stringValue())
                        .expect(200);

        assertThat(page.at("/items/0/id")).isEqualTo(newer.path("id"));
        assertThat(next.at("/items/0/id")).isEqualTo(older.path("id"));
        assertThat(page.toString()).doesNotContain("eqj_");
    }

    @Test
    void otherTokensAreNotRevokedHere() {
        String token =
                lab.administrator()
                        .post("/tokens", Map.of("name", "script"))
                        .expect(201)
                        .path("id")
                        .stringValue();

        lab.administrator().delete("/join-tokens/" + token).problem(404, "not-found");
    }
}
