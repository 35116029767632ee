package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.LockWaits;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Tests sessions that an API token begins, by its text or by a sign-in link. */
@RunningService
class SignInLinkIT {

    private final TestingLab lab;
    private final JdbcTemplate jdbc;
    private final JdbcClient database;
    private final TransactionTemplate transaction;

    SignInLinkIT(
            @Autowired TestingLab lab,
            @Autowired JdbcTemplate jdbc,
            @Autowired JdbcClient database,
            @Autowired TransactionTemplate transaction) {
        this.lab = lab;
        this.jdbc = jdbc;
        this.database = database;
        this.transaction = transaction;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String code(TestingClient client) {
        return client.post("/sign-in-links").expect(200).path("code").stringValue();
    }

    private Answer signInByCode(String code) {
        return lab.nobody().post("/session", Map.of("code", code));
    }

    private Answer signInByToken(String token) {
        return lab.nobody().post("/session", Map.of("token", token));
    }

    private static String cookie(Answer begun) {
        String cookie = String.valueOf(begun.headers().getFirst(HttpHeaders.SET_COOKIE));
        return cookie.substring(0, cookie.indexOf(';'));
    }

    /** Returns the client of a browser with the session. */
    private TestingClient browser(Answer begun) {
        String csrf = begun.expect(200).path("csrfToken").stringValue();
        return lab.nobody()
                .withHeader(HttpHeaders.COOKIE, cookie(begun))
                .withHeader("X-CSRF-Token", csrf);
    }

    private JsonNode newToken(Map<String, Object> token) {
        return lab.administrator().post("/tokens", token).expect(201);
    }

    private static String text(JsonNode token) {
        return token.path("token").stringValue();
    }

    private void revoke(JsonNode token) {
        lab.administrator().delete("/tokens/" + token.path("id").stringValue()).expect(204);
    }

    private static void assertRejected(Answer answer) {
        answer.problem(401, "unauthenticated");
        assertThat(answer.headers().getFirst(HttpHeaders.SET_COOKIE)).isNull();
    }

    @Test
    void linkSignsInOnce() {
        JsonNode link = lab.administrator().post("/sign-in-links").expect(200);
        String code = link.path("code").stringValue();
        assertThat(code).matches("eqc_[A-Za-z0-9_-]{43}");
        assertThat(link.path("path").stringValue()).isEqualTo("/sign-in#code=" + code);

        TestingClient browser = browser(signInByCode(code));

        assertThat(browser.get("/me").expect(200))
                .isEqualTo(lab.administrator().get("/me").expect(200));
        assertRejected(signInByCode(code));
    }

    @Test
    void linkExpiresAfterAnHour() {
        String inTime = code(lab.administrator());
        String late = code(lab.administrator());

        lab.clock().advance(Duration.ofMinutes(59));
        signInByCode(inTime).expect(200);
        lab.clock().advance(Duration.ofMinutes(1));

        assertRejected(signInByCode(late));
    }

    @Test
    void onlyTheHashOfACodeIsStored() {
        String code = code(lab.administrator());

        assertThat(
                        jdbc.queryForObject(
                                "select count(*) from access_token where hash = sha256(?::bytea)",
                                Integer.class,
                                code))
                .isEqualTo(1);
        assertThat(
                        jdbc.queryForObject(
                                "select count(*) from audit_entry where detail::text like '%eqc_%'",
                                Integer.class))
                .isZero();
    }

    @Test
    void revokingATokenEndsItsSessionsAndLinks() {
        JsonNode token = newToken(Map.of("name", "laptop"));
        TestingClient bearer = lab.nobody().with(text(token));
        TestingClient byToken = browser(signInByToken(text(token)));
        TestingClient byCode = browser(signInByCode(code(bearer)));
        String unused = code(bearer);
        byToken.get("/me").expect(200);
        byCode.get("/me").expect(200);

        revoke(token);

        byToken.get("/me").problem(401, "unauthenticated");
        byCode.get("/me").problem(401, "unauthenticated");
        assertRejected(signInByCode(unused));
        assertRejected(signInByToken(text(token)));
    }

    /** The sign-in waits for the transaction that revokes the token, and is then rejected. */
    @ParameterizedTest
    @ValueSource(strings = {"token", "code"})
    void tokenThatIsRevokedMeanwhileBeginsNoSession(String way) throws Exception {
        JsonNode token = newToken(Map.of("name", "laptop"));
        UUID id = UUID.fromString(token.path("id").stringValue());
        String proof = way.equals("code") ? code(lab.nobody().with(text(token))) : text(token);
        try (ExecutorService browsers = Executors.newSingleThreadExecutor()) {
            Future<Answer> begun =
                    transaction.execute(_ -> {
                        jdbc.update("update access_token set name = name where id = ?", id);
                        Future<Answer> answer =
                                browsers.submit(
                                        () -> lab.nobody().post("/session", Map.of(way, proof)));
                        await().until(() -> LockWaits.any(database));
                        jdbc.update("delete from access_token where id = ?", id);
                        return answer;
                    });

            assertRejected(begun.get());
        }
    }

    @Test
    void sessionEndsWithItsToken() {
        Instant end = lab.clock().instant().plus(Duration.ofMinutes(30));
        JsonNode token = newToken(Map.of("name", "short", "expiresAt", end.toString()));
        String link = code(lab.nobody().with(text(token)));
        Answer begun = signInByToken(text(token));
        TestingClient browser = browser(begun);
        assertThat(Instant.parse(begun.expect(200).path("expiresAt").stringValue()))
                .isBetween(end.minusMillis(1), end);

        lab.clock().advance(Duration.ofMinutes(31));

        browser.get("/me").problem(401, "unauthenticated");
        assertRejected(signInByCode(link));
        assertRejected(signInByToken(text(token)));
    }

    @Test
    void sessionOfATokenLastsNoLongerThanAnother() {
        Answer begun = signInByToken(lab.administrator().bearer());

        assertThat(begun.headers().getFirst(HttpHeaders.SET_COOKIE))
                .contains("Path=/api", "HttpOnly", "SameSite=Strict", "Max-Age=43200");
        TestingClient browser = browser(begun);
        lab.clock().advance(Duration.ofHours(12));

        browser.get("/me").problem(401, "unauthenticated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"viewer", "editor", "owner"})
    void sessionHasTheRoleAndTheProjectOfItsToken(String role) {
        TestingLab.Project project = lab.project();
        TestingLab.Project other = lab.project();
        TestingClient member = lab.member(project, role);

        for (TestingClient browser :
                new TestingClient[] {
                    browser(signInByToken(member.bearer())), browser(signInByCode(code(member)))
                }) {
            assertThat(browser.get("/me").expect(200)).isEqualTo(member.get("/me").expect(200));
            browser.get("/projects/" + other.id()).problem(404, "not-found");
            browser.post("/projects", Map.of("name", "x")).problem(403, "forbidden");
        }
    }

    @Test
    void sessionOfALimitedTokenCreatesNoTokens() {
        TestingLab.User user = lab.user();
        JsonNode limited =
                user.client().post("/tokens", Map.of("name", "r", "role", "viewer")).expect(201);
        TestingClient browser = browser(signInByToken(text(limited)));

        browser.post("/tokens", Map.of("name", "more")).problem(403, "forbidden");
        browser.delete("/tokens/" + limited.path("id").stringValue()).expect(204);

        browser.get("/me").problem(401, "unauthenticated");
    }

    @Test
    void sessionOfAUsersTokenIsThatOfTheUser() {
        TestingLab.User user = lab.user();
        TestingClient browser = browser(signInByToken(user.client().bearer()));
        assertThat(browser.get("/me").expect(200).path("account").stringValue())
                .isEqualTo(user.id());

        lab.administrator().patch("/users/" + user.id(), Map.of("disabled", true)).expect(200);

        browser.get("/me").problem(401, "unauthenticated");
        assertRejected(signInByToken(user.client().bearer()));
    }

    /** A user chooses the name of a token, which could be that of somebody else. */
    @Test
    void sessionOfAUsersTokenHasTheNameOfTheUser() {
        TestingLab.User user = lab.user();
        JsonNode token = user.client().post("/tokens", Map.of("name", "administrator")).expect(201);

        JsonNode session = signInByToken(text(token)).expect(200);

        assertThat(session.path("name").stringValue()).isEqualTo(user.name());
        assertThat(lab.administrator().get("/audit").expect(200).path("items").valueStream())
                .filteredOn(it -> it.path("subject").stringValue().equals(user.id()))
                .filteredOn(it -> it.path("action").stringValue().equals("signed-in"))
                .first()
                .satisfies(
                        entry ->
                                assertThat(entry.path("actor").stringValue())
                                        .isEqualTo(user.name()),
                        entry -> assertThat(entry.path("token")).isEqualTo(token.path("id")));
    }

    @Test
    void useOfASessionIsAUseOfItsToken() {
        JsonNode token = newToken(Map.of("name", "laptop"));
        TestingClient browser = browser(signInByToken(text(token)));
        lab.clock().advance(Duration.ofHours(2));
        Instant later = lab.clock().instant();

        browser.get("/me").expect(200);

        assertThat(usedAt(token)).isAfter(later);
    }

    private Instant usedAt(JsonNode token) {
        return lab.administrator()
                .get("/tokens?limit=500")
                .expect(200)
                .path("items")
                .valueStream()
                .filter(it -> it.path("id").equals(token.path("id")))
                .map(it -> Instant.parse(it.path("usedAt").stringValue()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void changesOfASessionNeedItsCsrfToken() {
        Answer begun = signInByToken(lab.administrator().bearer());
        TestingClient without = lab.nobody().withHeader(HttpHeaders.COOKIE, cookie(begun));

        without.get("/me").expect(200);
        without.post("/sign-in-links").problem(403, "csrf");
        without.delete("/session").problem(403, "csrf");
        browser(begun).delete("/session").expect(204);

        without.get("/me").problem(401, "unauthenticated");
        lab.administrator().get("/me").expect(200);
    }

    @Test
    void sessionOfAPasswordMakesNoLinks() {
        TestingLab.User user = lab.user();
        TestingClient browser =
                browser(
                        lab.nobody()
                                .post(
                                        "/session",
                                        Map.of("name", user.name(), "password", user.password())));

        browser.post("/sign-in-links").problem(403, "forbidden");
    }

    @Test
    void onlyApiTokensBeginSessions() {
        String session = cookie(signInByToken(lab.administrator().bearer())).split("=", 2)[1];
        String code = code(lab.administrator());

        assertRejected(signInByToken(session));
        assertRejected(signInByToken(code));
        assertRejected(signInByToken(lab.joinToken()));
        assertRejected(signInByToken("eqp_unknown"));
        assertRejected(signInByCode(session));
        assertRejected(signInByCode(lab.administrator().bearer()));
        lab.nobody().with(code).get("/me").problem(401, "unauthenticated");
        lab.nobody()
                .withHeader(HttpHeaders.COOKIE, SessionNames.COOKIE + "=" + code)
                .get("/me")
                .problem(401, "unauthenticated");
    }

    @Test
    void requestHasOneWayToSignIn() {
        String rule = " must have either name and password, or token, or code";

        for (Map<String, String> body :
                List.of(
                        Map.<String, String>of(),
                        Map.of("name", "a"),
                        Map.of("password", "a"),
                        Map.of("token", "a", "code", "b"),
                        Map.of("name", "a", "password", "b", "token", "c"),
                        Map.of("name", "a", "code", "c"))) {
            Answer answer = lab.nobody().post("/session", body);

            answer.problem(400, "invalid-request");
            assertThat(answer.violations()).containsExactly(rule);
        }
    }

    @Test
    void rejectionRepeatsNoSecret() {
        String secret = "eqp_" + "s".repeat(200);

        for (String field : new String[] {"token", "code"}) {
            Answer answer = lab.nobody().post("/session", Map.of(field, secret));

            assertThat(answer.problem(400, "invalid-request").toString()).doesNotContain("sss");
        }
    }

    @Test
    void signingInAndOutByATokenIsAudited() {
        JsonNode token = newToken(Map.of("name", "laptop " + UUID.randomUUID()));
        TestingClient bearer = lab.nobody().with(text(token));
        browser(signInByCode(code(bearer))).delete("/session").expect(204);

        assertThat(lab.administrator().get("/audit").expect(200).path("items").valueStream())
                .filteredOn(it -> it.path("subject").equals(token.path("id")))
                .extracting(it -> it.path("action").stringValue())
                .containsExactly(
                        "signed-out", "signed-in", "sign-in-link-created", "token-created");
    }
}
