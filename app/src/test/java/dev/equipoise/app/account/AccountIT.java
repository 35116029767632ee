package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

@RunningService
class AccountIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "test", "dataset": {"name": "mnist"},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 999}}
            """;

    private final TestingLab lab;
    private final BootstrapAdministrator bootstrap;

    AccountIT(@Autowired TestingLab lab, @Autowired BootstrapAdministrator bootstrap) {
        this.lab = lab;
        this.bootstrap = bootstrap;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static void assertUnauthenticated(Answer response) {
        response.problem(401, "unauthenticated");
        assertThat(response.headers().getFirst("WWW-Authenticate")).isEqualTo("Bearer");
    }

    @Test
    void callWithoutATokenIsUnauthenticated() {
        assertUnauthenticated(lab.nobody().get("/me"));
        assertUnauthenticated(lab.nobody().post("/agents", "{}"));
        assertUnauthenticated(lab.nobody().get("/nowhere"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"eqp_unknown", "", " ", "eqp_ü", "a b"})
    void unknownTokenIsRejected(String token) {
        assertUnauthenticated(lab.nobody().with(token).get("/me"));
    }

    @Test
    void veryLongTokenIsRejected() {
        assertUnauthenticated(lab.nobody().with("x".repeat(5000)).get("/me"));
    }

    @Test
    void revokedTokenIsRejected() {
        JsonNode created =
                lab.administrator().post("/tokens", Map.of("name", "short-lived")).expect(201);
        TestingClient bearer = lab.nobody().with(created.path("token").stringValue());
        bearer.get("/me").expect(200);

        lab.administrator().delete("/tokens/" + created.path("id").stringValue()).expect(204);

        assertUnauthenticated(bearer.get("/me"));
        lab.administrator()
                .delete("/tokens/" + created.path("id").stringValue())
                .problem(404, "not-found");
    }

    @Test
    void everyKindOfTokenHasItsOwnPathsOnly() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.join("one");
        TestingClient newcomer = lab.nobody().with(lab.joinToken());

        project.member().post("/projects", Map.of("name", "mine")).problem(403, "forbidden");
        project.member().get("/users").problem(403, "forbidden");
        project.member().get("/audit").problem(403, "forbidden");
        project.member().post("/tokens", Map.of("name", "x")).problem(403, "forbidden");
        project.member().post("/join-tokens", Map.of()).problem(403, "forbidden");
        String profiles = "/workers/" + agent.id() + "/profiles";
        project.member().post(profiles, Map.of("network", "mnist-cnn")).problem(403, "forbidden");
        project.member().get(profiles).expect(200);
        project.member().post("/agents", "{}").problem(403, "forbidden");
        project.member().post("/agents/" + agent.id() + "/lease").problem(403, "forbidden");
        assertThat(
                        lab.administrator()
                                .post("/agents", "{}")
                                .problem(403, "forbidden")
                                .path("detail")
                                .stringValue())
                .startsWith("An agent joins with a join token")
                .contains("but the request carries an API token");
        newcomer.get("/me").problem(403, "forbidden");
        newcomer.post("/agents/" + agent.id() + "/lease").problem(403, "forbidden");
        agent.client().get("/workers").problem(403, "forbidden");
        agent.client().get("/runs").problem(403, "forbidden");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/users", "/audit"})
    void denialNamesTheRequiredRoleAndThatOfTheCaller(String path) {
        TestingClient editor = lab.member(lab.project(), "editor");

        JsonNode problem = editor.get(path).problem(403, "forbidden");

        assertThat(problem.path("detail").stringValue())
                .isEqualTo(
                        "The call requires the role administrator, but the caller has the role"
                                + " editor");
    }

    @Test
    void tokenIdentifiesItsCaller() {
        TestingLab.Project project = lab.project();

        JsonNode member = project.member().get("/me").expect(200);
        assertThat(member.path("administrator").booleanValue()).isFalse();
        assertThat(member.path("projects").propertyNames()).containsExactly(project.id());
        assertThat(member.path("projects").path(project.id()).stringValue()).isEqualTo("editor");
        JsonNode administrator = lab.administrator().get("/me").expect(200);
        assertThat(administrator.path("administrator").booleanValue()).isTrue();
        assertThat(administrator.path("everywhere").stringValue()).isEqualTo("administrator");
    }

    @Test
    void textOfATokenIsShownOnce() {
        lab.project();
        JsonNode all = lab.administrator().get("/tokens").expect(200).path("items");

        assertThat(all).isNotEmpty();
        assertThat(all).allSatisfy(it -> assertThat(it.path("token").isNull()).isTrue());
    }

    @Test
    void memberSeesOnlyTheirOwnProject() {
        TestingLab.Project mine = lab.project();
        TestingLab.Project theirs = lab.project();
        String experiment = theirs.define(DEFINITION).path("id").stringValue();
        String run = theirs.submitOne(DEFINITION);

        assertThat(mine.member().get("/projects").expect(200).path("items"))
                .extracting(it -> it.path("id").stringValue())
                .containsExactly(mine.id());
        String foreign = "/projects/" + theirs.id() + "/experiments";
        mine.member().get(foreign).problem(404, "not-found");
        mine.member().post(foreign, DEFINITION).problem(404, "not-found");
        mine.member().get("/experiments/" + experiment).problem(404, "not-found");
        mine.member().post("/experiments/" + experiment + "/runs").problem(404, "not-found");
        mine.member().get("/runs/" + run).problem(404, "not-found");
        mine.member().post("/runs/" + run + "/cancel").problem(404, "not-found");
        mine.member().get("/runs?project=" + theirs.id()).problem(404, "not-found");
        mine.member().get("/comparisons?runs=" + run).problem(404, "not-found");
        assertThat(mine.member().get("/runs").expect(200).path("items")).isEmpty();
        assertThat(mine.member().get("/runs?experiment=" + experiment).expect(200).path("items"))
                .isEmpty();
        lab.administrator().get("/runs/" + run).expect(200);
        theirs.member().get("/runs/" + run).expect(200);
    }

    @Test
    void hiddenAndMissingRunsAreIndistinguishable() {
        TestingLab.Project mine = lab.project();
        String foreign = lab.project().submitOne(DEFINITION);
        String absent = UUID.randomUUID().toString();

        String toForeign =
                mine.member().get("/runs/" + foreign).expect(404).toString().replace(foreign, "X");
        String toAbsent =
                mine.member().get("/runs/" + absent).expect(404).toString().replace(absent, "X");
        assertThat(toForeign).isEqualTo(toAbsent);
    }

    @Test
    void projectNamesAreUnique() {
        Map<String, String> project = Map.of("name", "twice " + UUID.randomUUID());
        lab.administrator().post("/projects", project).expect(201);

        lab.administrator().post("/projects", project).problem(409, "name-taken");
    }

    /** A line feed, an escape, a line separator and a right-to-left override. */
    @ParameterizedTest
    @ValueSource(strings = {"a\nFORGED", "a\u001b[2J", "a\u2028b", "a\u202eb"})
    void nameThatCouldForgeALogLineIsRejected(String name) {
        TestingClient administrator = lab.administrator();
        Map<String, String> body = Map.of("name", name);
        administrator.post("/projects", body).problem(400, "invalid-request");
        administrator.post("/tokens", body).problem(400, "invalid-request");
        administrator.post("/join-tokens", body).problem(400, "invalid-request");
        assertThat(administrator.post("/projects", body).violations())
                .containsExactly("/name must not contain control characters or line separators");
    }

    @Test
    void tokenForAMissingProjectIsRejected() {
        lab.administrator()
                .post("/tokens", Map.of("name", "x", "project", UUID.randomUUID()))
                .problem(404, "not-found");
    }

    /**
     * Without a project, an administrator's token would have all rights: a typo must not create
     * one.
     */
    @Test
    void misspelledProjectCreatesNoToken() {
        Answer response =
                lab.administrator()
                        .post("/tokens", Map.of("name", "ci", "projct", UUID.randomUUID()));

        response.problem(400, "invalid-request");
        assertThat(response.violations())
                .containsExactly(
                        "/projct is not a field; did you mean project? The fields here are"
                                + " [expiresAt, name, project, role, standsAlone]");
        assertThat(lab.administrator().get("/tokens?limit=500").expect(200).path("items"))
                .extracting(it -> it.path("name").stringValue())
                .doesNotContain("ci");
    }

    @Test
    void joinTokenStatesItsExpiry() {
        JsonNode created = lab.administrator().post("/join-tokens", Map.of()).expect(201);

        assertThat(Instant.parse(created.path("expiresAt").stringValue()))
                .isBetween(
                        lab.clock().instant().plusSeconds(24 * 3600 - 60),
                        lab.clock().instant().plusSeconds(24 * 3600));
    }

    @Test
    void expiredJoinTokenIsRejected() {
        TestingClient newcomer = lab.nobody().with(lab.joinToken());
        lab.clock().advance(Duration.ofHours(24));

        assertUnauthenticated(newcomer.post("/agents", TestingLab.registration("late")));
    }

    @Test
    void firstTokenIsPrivateAndCreatedOnce() throws IOException {
        Path file = lab.administratorToken();
        String text = Files.readString(file);

        bootstrap.run(new DefaultApplicationArguments());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(text).matches("eqp_[A-Za-z0-9_-]{43}\\R");
        assertThat(file).hasContent(text);
    }

    /** The files of the dashboard are public; the data that it shows is not. */
    @Test
    void apiDescriptionAndHealthNeedNoToken() {
        lab.nobody().get("/api/openapi").expect(200);
        lab.nobody()
                .call(HttpMethod.DELETE, "/api/openapi", null, null)
                .problem(401, "unauthenticated");
    }
}
