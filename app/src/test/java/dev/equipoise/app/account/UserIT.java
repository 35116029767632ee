package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/** Tests signing in, the rights of roles and tokens, and their audit entries. */
@RunningService
class UserIT {

    private static final String PASSWORD = "correct horse battery";

    private final TestingLab lab;
    private final JdbcTemplate jdbc;
    private final SignInLockouts lockOuts;

    UserIT(
            @Autowired TestingLab lab,
            @Autowired JdbcTemplate jdbc,
            @Autowired SignInLockouts lockOuts) {
        this.lab = lab;
        this.jdbc = jdbc;
        this.lockOuts = lockOuts;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** A browser session, with and without its CSRF token. */
    private record Browser(TestingClient withoutToken, TestingClient client, String cookie) {}

    private JsonNode user() {
        return lab.administrator()
                .post("/users", Map.of("name", "user-" + UUID.randomUUID(), "password", PASSWORD))
                .expect(201);
    }

    private Answer signIn(JsonNode user, String password) {
        return lab.nobody().post("/session", Map.of("name", name(user), "password", password));
    }

    private Browser browser(JsonNode user) {
        Answer response = signIn(user, PASSWORD);
        String cookie = String.valueOf(response.headers().getFirst(HttpHeaders.SET_COOKIE));
        TestingClient client =
                lab.nobody()
                        .withHeader(HttpHeaders.COOKIE, cookie.substring(0, cookie.indexOf(';')));
        return new Browser(
                client,
                client.withHeader(
                        "X-CSRF-Token", response.expect(200).path("csrfToken").stringValue()),
                cookie);
    }

    private void join(JsonNode user, TestingLab.Project project, String role) {
        lab.administrator()
                .put("/projects/" + project.id() + "/members/" + id(user), Map.of("role", role))
                .expect(200);
    }

    private static String id(JsonNode created) {
        return created.path("id").stringValue();
    }

    private static String name(JsonNode user) {
        return user.path("name").stringValue();
    }

    @Test
    void userSignsInAndOut() {
        JsonNode user = user();
        Browser browser = browser(user);

        assertThat(browser.cookie())
                .contains("Path=/api", "HttpOnly", "SameSite=Strict", "Max-Age=43200");
        assertThat(browser.client().get("/me").expect(200).path("name").stringValue())
                .isEqualTo(name(user));
        assertThat(browser.client().get("/session").expect(200).path("csrfToken").stringValue())
                .isNotEmpty();

        browser.client().delete("/session").expect(204);

        browser.client().get("/me").problem(401, "unauthenticated");
    }

    @Test
    void signInAndSignOutAreAudited() {
        JsonNode user = user();
        browser(user).client().delete("/session").expect(204);

        List<JsonNode> entries =
                lab.administrator()
                        .get("/audit")
                        .expect(200)
                        .path("items")
                        .valueStream()
                        .filter(it -> it.path("subject").stringValue().equals(id(user)))
                        .toList();

        assertThat(entries)
                .extracting(it -> it.path("action").stringValue())
                .containsExactly("signed-out", "signed-in", "user-created");
        assertThat(entries.getFirst().path("actor").stringValue()).isEqualTo(name(user));
        assertThat(entries.getFirst().path("token"))
                .isEqualTo(entries.get(1).at("/detail/session"));
    }

    /** Many addresses of an attacker must not fill the audit log. */
    @Test
    void auditEntriesOfLockoutsAreLimited() {
        long before = lockedOut();
        for (int number = 0; number < SignInLockouts.MAX_PER_HOUR + 10; number++) {
            lockOuts.note("nobody", "10.0.0." + number);
            lockOuts.note("nobody", "10.0.0." + number);
        }
        assertThat(lockedOut() - before).isEqualTo(SignInLockouts.MAX_PER_HOUR);

        lab.clock().advance(Duration.ofHours(1));
        lockOuts.note("nobody", "10.0.0.1");

        assertThat(lockedOut() - before).isEqualTo(SignInLockouts.MAX_PER_HOUR + 1);
    }

    private long lockedOut() {
        return Objects.requireNonNull(
                jdbc.queryForObject(
                        "select count(*) from audit_entry where action = 'sign-in-locked-out'",
                        Long.class));
    }

    @Test
    void userHasEitherAPasswordOrASubject() {
        String name = "user-" + UUID.randomUUID();
        TestingClient administrator = lab.administrator();

        administrator.post("/users", Map.of("name", name)).problem(400, "invalid-request");
        administrator
                .post("/users", Map.of("name", name, "password", PASSWORD, "subject", "s"))
                .problem(400, "invalid-request");
        assertThat(administrator.post("/users", Map.of("name", name, "subject", "s")).violations())
                .containsExactly("/subject belongs to an identity provider, but the lab has none");
    }

    @Test
    void unknownNameAndWrongPasswordAreIndistinguishable() {
        JsonNode user = user();

        JsonNode wrong = signIn(user, "wrong").problem(401, "unauthenticated");
        JsonNode unknown =
                lab.nobody()
                        .post("/session", Map.of("name", "nobody", "password", "wrong"))
                        .problem(401, "unauthenticated");

        assertThat(wrong).isEqualTo(unknown);
    }

    @Test
    void sessionWithoutCsrfTokenCannotChangeAnything() {
        Browser browser = browser(user());
        Map<String, String> token = Map.of("name", "x");

        browser.withoutToken().get("/me").expect(200);
        browser.withoutToken().post("/tokens", token).problem(403, "csrf");
        browser.withoutToken()
                .withHeader("X-CSRF-Token", "another")
                .post("/tokens", token)
                .problem(403, "csrf");
        browser.withoutToken().delete("/session").problem(403, "csrf");
        browser.client().post("/tokens", token).expect(201);
    }

    @Test
    void sessionExpires() {
        Browser browser = browser(user());

        lab.clock().advance(Duration.ofHours(12));

        browser.client().get("/me").problem(401, "unauthenticated");
    }

    @Test
    void signInWorksWithAnEndedSession() {
        JsonNode user = user();
        Browser browser = browser(user);
        browser.client().delete("/session").expect(204);

        browser.withoutToken()
                .post("/session", Map.of("name", name(user), "password", PASSWORD))
                .expect(200);
    }

    @Test
    void passwordIsStoredAsArgon2id() {
        JsonNode user = user();

        assertThat(
                        jdbc.queryForObject(
                                "select password from lab_user where id = ?::uuid",
                                String.class,
                                id(user)))
                .startsWith("$argon2id$");
        assertThat(user.has("password")).isFalse();
    }

    @Test
    void passwordChangeNeedsTheOldOneAndEndsAllSessions() {
        JsonNode user = user();
        Browser browser = browser(user);
        Browser other = browser(user);

        browser.client()
                .put("/me/password", Map.of("old", "wrong", "password", "another long one"))
                .problem(400, "invalid-request");
        browser.client()
                .put("/me/password", Map.of("old", PASSWORD, "password", "short"))
                .problem(400, "invalid-request");
        browser.client()
                .put("/me/password", Map.of("old", PASSWORD, "password", "another long one"))
                .expect(204);

        other.client().get("/me").problem(401, "unauthenticated");
        signIn(user, PASSWORD).problem(401, "unauthenticated");
        signIn(user, "another long one").expect(200);
    }

    @Test
    void disablingAUserInvalidatesSessionsAndTokens() {
        JsonNode user = user();
        Browser browser = browser(user);
        TestingClient token =
                lab.nobody()
                        .with(
                                browser.client()
                                        .post("/tokens", Map.of("name", "script"))
                                        .expect(201)
                                        .path("token")
                                        .stringValue());
        token.get("/me").expect(200);

        lab.administrator().patch("/users/" + id(user), Map.of("disabled", true)).expect(200);

        browser.client().get("/me").problem(401, "unauthenticated");
        token.get("/me").problem(401, "unauthenticated");
        signIn(user, PASSWORD).problem(401, "unauthenticated");
    }

    @Test
    void rolesLimitTheRightsOfMembers() {
        TestingLab.Project project = lab.project();
        JsonNode user = user();
        TestingClient browser = browser(user).client();
        String experiments = "/projects/" + project.id() + "/experiments";
        String members = "/projects/" + project.id() + "/members/" + id(user());

        browser.get(experiments).problem(404, "not-found");

        join(user, project, "viewer");
        browser.get(experiments).expect(200);
        browser.post(experiments, "{}").problem(403, "forbidden");
        browser.put(members, Map.of("role", "viewer")).problem(403, "forbidden");

        join(user, project, "editor");
        browser.post(experiments, "{}").problem(400, "invalid-definition");
        browser.put(members, Map.of("role", "viewer")).problem(403, "forbidden");

        join(user, project, "owner");
        browser.put(members, Map.of("role", "viewer")).expect(200);
        browser.put("/projects/" + project.id() + "/quota", Map.of()).problem(403, "forbidden");

        lab.administrator()
                .delete("/projects/" + project.id() + "/members/" + id(user))
                .expect(204);
        browser.get(experiments).problem(404, "not-found");
    }

    @Test
    void administratorIsNoRoleOfAMember() {
        TestingLab.Project project = lab.project();

        lab.administrator()
                .put(
                        "/projects/" + project.id() + "/members/" + id(user()),
                        Map.of("role", "administrator"))
                .problem(400, "invalid-request");
    }

    @Test
    void tokenIsLimitedByItsUserAndItsScope() {
        TestingLab.Project project = lab.project();
        JsonNode user = user();
        join(user, project, "owner");
        TestingClient browser = browser(user).client();
        JsonNode created =
                browser.post("/tokens", Map.of("name", "reader", "role", "viewer")).expect(201);
        TestingClient reader = lab.nobody().with(created.path("token").stringValue());

        reader.get("/projects/" + project.id()).expect(200);
        reader.post("/projects/" + project.id() + "/experiments", "{}").problem(403, "forbidden");

        join(user, project, "viewer");
        TestingClient all =
                lab.nobody()
                        .with(
                                browser.post("/tokens", Map.of("name", "all"))
                                        .expect(201)
                                        .path("token")
                                        .stringValue());
        all.post("/projects/" + project.id() + "/experiments", "{}").problem(403, "forbidden");
        all.post("/projects", Map.of("name", "x")).problem(403, "forbidden");
    }

    @Test
    void restrictedTokenCannotCreateTokens() {
        TestingLab.Project project = lab.project();
        JsonNode user = user();
        join(user, project, "owner");
        TestingClient browser = browser(user).client();
        JsonNode other = browser.post("/tokens", Map.of("name", "other")).expect(201);
        String later = lab.clock().instant().plus(Duration.ofHours(1)).toString();
        for (Map<String, String> restriction :
                List.of(
                        Map.of("name", "a", "role", "viewer"),
                        Map.of("name", "b", "project", project.id(), "role", "owner"),
                        Map.of("name", "c", "expiresAt", later))) {
            JsonNode created = browser.post("/tokens", restriction).expect(201);
            TestingClient restricted = lab.nobody().with(created.path("token").stringValue());

            restricted.post("/tokens", Map.of("name", "more")).problem(403, "forbidden");
            restricted.delete("/tokens/" + id(other)).problem(403, "forbidden");
            restricted.delete("/tokens/" + id(created)).expect(204);
        }
    }

    @Test
    void userManagesTheirOwnTokens() {
        TestingClient mine = browser(user()).client();
        TestingClient theirs = browser(user()).client();
        JsonNode token = mine.post("/tokens", Map.of("name", "mine")).expect(201);

        assertThat(mine.get("/tokens").expect(200).path("items"))
                .extracting(it -> it.path("name").stringValue())
                .containsExactly("mine");
        assertThat(theirs.get("/tokens").expect(200).path("items")).isEmpty();
        theirs.delete("/tokens/" + id(token)).problem(404, "not-found");
        theirs.post("/tokens", Map.of("name", "robot", "standsAlone", true))
                .problem(403, "forbidden");
        mine.delete("/tokens/" + id(token)).expect(204);
        lab.nobody()
                .with(token.path("token").stringValue())
                .get("/me")
                .problem(401, "unauthenticated");
    }

    @Test
    void tokenStatesItsLastUseAndExpiry() {
        TestingClient browser = browser(user()).client();
        String later = lab.clock().instant().plus(Duration.ofDays(1)).toString();
        String text =
                browser.post("/tokens", Map.of("name", "a", "expiresAt", later))
                        .expect(201)
                        .path("token")
                        .stringValue();
        TestingClient token = lab.nobody().with(text);

        assertThat(browser.get("/tokens").expect(200).at("/items/0/usedAt").isNull()).isTrue();
        token.get("/me").expect(200);
        assertThat(browser.get("/tokens").expect(200).at("/items/0/usedAt").isString()).isTrue();
        browser.post("/tokens", Map.of("name", "b", "expiresAt", "2020-01-01T00:00:00Z"))
                .problem(400, "invalid-request");

        lab.clock().advance(Duration.ofDays(1));

        token.get("/me").problem(401, "unauthenticated");
    }

    @Test
    void staleIfMatchIsRejected() {
        String path = "/projects/" + lab.project().id();
        Answer seen = lab.administrator().get(path);
        String tag = String.valueOf(seen.headers().getETag());

        lab.administrator()
                .withHeader(HttpHeaders.IF_MATCH, tag)
                .put(path + "/quota", Map.of("queuedRuns", 5))
                .expect(200);
        lab.administrator()
                .withHeader(HttpHeaders.IF_MATCH, tag)
                .put(path + "/quota", Map.of("queuedRuns", 6))
                .problem(412, "precondition-failed");

        assertThat(lab.administrator().get(path).expect(200).at("/quota/queuedRuns").intValue())
                .isEqualTo(5);
        lab.administrator().withHeader(HttpHeaders.IF_NONE_MATCH, tag).get(path).expect(200);
        String newest = String.valueOf(lab.administrator().get(path).headers().getETag());
        lab.administrator().withHeader(HttpHeaders.IF_NONE_MATCH, newest).get(path).expect(304);
    }

    @Test
    void negativeQuotaIsRejected() {
        lab.administrator()
                .put("/projects/" + lab.project().id() + "/quota", Map.of("replicasAtOnce", -1))
                .problem(400, "invalid-request");
    }

    @Test
    void auditIsCompleteAndImmutable() {
        TestingLab.Project project = lab.project();
        JsonNode user = user();
        join(user, project, "owner");
        TestingClient owner = browser(user).client();
        owner.patch("/projects/" + project.id(), Map.of("name", "renamed " + project.id()))
                .expect(200);

        JsonNode entry =
                owner.get("/audit?project=" + project.id()).expect(200).path("items").get(0);
        assertThat(entry.path("action").stringValue()).isEqualTo("project-renamed");
        assertThat(entry.path("actor").stringValue()).isEqualTo(name(user));
        assertThat(entry.at("/detail/to").stringValue()).isEqualTo("renamed " + project.id());
        project.member().get("/audit?project=" + project.id()).problem(403, "forbidden");
        assertThatThrownBy(() -> jdbc.update("update audit_entry set actor = 'somebody else'"))
                .hasMessageContaining("the audit is appended to");
        assertThatThrownBy(() -> jdbc.update("delete from audit_entry"))
                .hasMessageContaining("the audit is appended to");
    }

    /** RFC 7396: a merge patch keeps what it leaves out, and null would delete a value. */
    @Test
    void patchesOfProjectsAndUsersKeepOmittedFields() {
        TestingLab.Project project = lab.project();
        JsonNode user = user();
        JsonNode before = lab.administrator().get("/projects/" + project.id()).expect(200);

        lab.administrator().patch("/users/" + id(user), Map.of("administrator", true)).expect(200);
        JsonNode disabled =
                lab.administrator()
                        .patch("/users/" + id(user), Map.of("disabled", true))
                        .expect(200);

        assertThat(disabled.path("administrator").booleanValue()).isTrue();
        assertThat(lab.administrator().patch("/projects/" + project.id(), "{}").expect(200))
                .isEqualTo(before);
        for (String field : List.of("password", "administrator", "disabled")) {
            Answer rejected =
                    lab.administrator()
                            .patch("/users/" + id(user), "{\"%s\": null}".formatted(field));
            rejected.problem(400, "invalid-request");
            assertThat(rejected.violations())
                    .singleElement()
                    .asString()
                    .startsWith("/%s must have a value".formatted(field));
        }
        lab.administrator()
                .patch("/projects/" + project.id(), "{\"name\": null}")
                .problem(400, "invalid-request");
        lab.administrator()
                .patch("/projects/" + project.id(), Map.of("name", " "))
                .problem(400, "invalid-request");
        lab.administrator().delete("/users/" + id(user)).expect(204);
    }

    @Test
    void rejectedChangesAreNotAudited() {
        TestingLab.Project project = lab.project();
        String audit = "/audit?project=" + project.id();
        JsonNode before = lab.administrator().get(audit).expect(200);

        project.member()
                .patch("/projects/" + project.id(), Map.of("name", "mine now"))
                .problem(403, "forbidden");
        project.member()
                .post("/projects/" + project.id() + "/experiments", "{}")
                .problem(400, "invalid-definition");

        assertThat(lab.administrator().get(audit).expect(200)).isEqualTo(before);
    }
}
