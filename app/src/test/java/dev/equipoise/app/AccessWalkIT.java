package dev.equipoise.app;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Report;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls every path of the API without authentication, as a viewer of the project, as an editor of
 * another project, and as an agent, and expects the status by the table in docs/api.md. A path that
 * the table lacks fails the test.
 */
@RunningService
class AccessWalkIT {

    private static final String API = "/api/v1";

    /** Webhook at a name that never has an address. */
    private static final Map<String, Object> WEBHOOK =
            Map.of(
                    "name",
                    "walk",
                    "url",
                    "https://receiver.invalid/hook",
                    "events",
                    List.of("run.ended"));

    private final TestingLab lab;
    private final JsonMapper json;
    private final JdbcTemplate jdbc;

    private final Map<String, String> ids = new TreeMap<>();
    private TestingLab.User viewer;
    private TestingLab.User otherEditor;
    private TestingAgent agent;
    private @Nullable JsonNode description;

    AccessWalkIT(
            @Autowired TestingLab lab, @Autowired JsonMapper json, @Autowired JdbcTemplate jdbc) {
        this.lab = lab;
        this.json = json;
        this.jdbc = jdbc;
        this.viewer = lab.user();
        this.otherEditor = lab.user();
        this.agent = lab.join("stranger");
    }

    /** Creates a run that has ended with its two workers, and a third worker without work. */
    @BeforeEach
    void createHistory() {
        TestingHistory history = TestingHistory.in(lab);
        String project = history.project().id();
        TestingLab.beat(history.agents());
        addMember(viewer, project, "viewer");
        addMember(otherEditor, lab.project().id(), "editor");
        ids.put("project", project);
        ids.put("experiment", history.experiment());
        ids.put("run", history.runs().getFirst());
        ids.put("worker", history.agents().getFirst().id().toString());
        ids.put("profile", history.profile());
        ids.put("user", viewer.id());
        String webhooks = "/projects/" + project + "/webhooks";
        String webhook = created(lab.administrator().post(webhooks, WEBHOOK));
        ids.put("webhook", webhook);
        ids.put("delivery", created(lab.administrator().post(webhooks + "/" + webhook + "/ping")));
        ids.put(
                "measurement",
                lab.administrator()
                        .post(
                                "/links/measurements",
                                Map.of(
                                        "workers",
                                        history.agents().stream()
                                                .map(it -> it.id().toString())
                                                .toList()))
                        .expect(202)
                        .path("id")
                        .stringValue());
    }

    /** Deletes the webhooks, which would get the events of later tests. */
    @AfterEach
    void clear() {
        jdbc.update("delete from webhook");
        lab.clear();
    }

    private void addMember(TestingLab.User user, String project, String role) {
        lab.administrator()
                .put("/projects/" + project + "/members/" + user.id(), Map.of("role", role))
                .expect(200);
    }

    /**
     * A request.
     *
     * @param path with real ids where the caller could know them
     * @param body null for none
     */
    private record Request(String path, @Nullable Object body, MediaType type) {

        static Request of(String path) {
            return new Request(path, null, MediaType.APPLICATION_JSON);
        }

        static Request of(String path, Object body) {
            return new Request(path, body, MediaType.APPLICATION_JSON);
        }
    }

    /** The expected statuses for each caller. */
    private record Expected(int nobody, int viewer, int otherEditor, int agent) {}

    private static Expected expected(WhoMayCall who, int success) {
        return switch (who) {
            case ANYONE -> new Expected(success, success, success, success);
            case USER -> new Expected(401, success, success, 403);
            case VIEWER -> new Expected(401, success, 404, 403);
            case EDITOR, OWNER, ADMINISTRATOR_OF_THE_PROJECT -> new Expected(401, 403, 404, 403);
            case ADMINISTRATOR, NEWCOMER -> new Expected(401, 403, 403, 403);
            // An agent returns with its own credential only.
            case NEWCOMER_OR_AGENT -> new Expected(401, 403, 403, 409);
            // Assignments of another agent do not exist for it.
            case AGENT -> new Expected(401, 403, 403, 404);
        };
    }

    @Test
    void everyPathFollowsTheDocumentedRights() throws IOException {
        Map<String, WhoMayCall> documented = WhoMayCall.documented();
        Set<String> described = described();
        assertThat(documented.keySet()).as("the table of docs/api.md").isEqualTo(described);

        List<String> faults = new ArrayList<>();
        for (String operation : described) {
            Request request = request(operation);
            Expected expected =
                    expected(
                            Objects.requireNonNull(documented.get(operation)),
                            SUCCESSES.getOrDefault(operation, 200));
            check(operation, request, "nobody", lab.nobody(), expected.nobody(), faults);
            check(operation, request, "viewer", viewer.client(), expected.viewer(), faults);
            check(
                    operation,
                    request,
                    "otherEditor",
                    otherEditor.client(),
                    expected.otherEditor(),
                    faults);
            check(operation, request, "agent", agent.client(), expected.agent(), faults);
        }
        assertThat(faults).isEmpty();
    }

    /**
     * Calls that change nothing, belong to agents, are audited under another call, as the import of
     * a bundle, or have tests of their own ({@code RunBatchIT}, {@code ProjectRemovalIT}): changes
     * of several runs answer for each run, and the removal of the project would end the walk.
     */
    private static final Set<String> NOT_AUDITED =
            Set.of(
                    "POST /experiments/validate",
                    "POST /plans",
                    "POST /session",
                    "DELETE /session",
                    "PUT /me/password",
                    "POST /projects/{project}/bundles",
                    "POST /runs/cancel",
                    "POST /runs/delete",
                    "DELETE /projects/{id}");

    @Test
    void changesNeedTheDocumentedRoleAndAreAudited() throws IOException {
        Map<String, WhoMayCall> documented = WhoMayCall.documented();
        List<String> faults = new ArrayList<>();
        for (String operation : described()) {
            if (!operation.startsWith("GET ")
                    && !operation.contains(" /agents")
                    && !operation.contains(" /assignments")
                    && !NOT_AUDITED.contains(operation)) {
                // The heartbeat keeps the worker alive, however slow the walk is.
                agent.beat(List.of(agent)).expect(200);
                Request request = fresh(operation);
                WhoMayCall who = Objects.requireNonNull(documented.get(operation));
                TestingClient least = least(who);
                Optional<TestingClient> lesser = below(who);
                long auditEntries = countAuditEntries();
                if (lesser.isPresent()
                        && (send(operation, request, lesser.get()).status() != 403
                                || countAuditEntries() != auditEntries)) {
                    faults.add(
                            "%s: also possible with a lower role than %s"
                                    .formatted(operation, who));
                }
                Answer response = send(operation, request, least);
                if (response.status() >= 300) {
                    faults.add("%s: %s".formatted(operation, response));
                } else if (countAuditEntries() == auditEntries) {
                    faults.add("%s: executed, but not audited".formatted(operation));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    /** Returns a client with exactly the documented role. */
    private TestingClient least(WhoMayCall who) {
        return switch (who) {
            case EDITOR -> member("editor");
            case OWNER -> member("owner");
            case ADMINISTRATOR, ADMINISTRATOR_OF_THE_PROJECT -> lab.administrator();
            case ANYONE, USER, VIEWER -> viewer.client();
            case NEWCOMER, NEWCOMER_OR_AGENT, AGENT ->
                    throw new IllegalArgumentException("not a user: " + who);
        };
    }

    /** Returns a client with the role below the documented one in the project. */
    private Optional<TestingClient> below(WhoMayCall who) {
        return switch (who) {
            case EDITOR -> Optional.of(member("viewer"));
            case OWNER -> Optional.of(member("editor"));
            case ADMINISTRATOR, ADMINISTRATOR_OF_THE_PROJECT -> Optional.of(member("owner"));
            case ANYONE, USER, VIEWER, NEWCOMER, NEWCOMER_OR_AGENT, AGENT -> Optional.empty();
        };
    }

    private TestingClient member(String role) {
        JsonNode created =
                lab.administrator()
                        .post(
                                "/tokens",
                                Map.of(
                                        "name",
                                        role,
                                        "project",
                                        Objects.requireNonNull(ids.get("project")),
                                        "role",
                                        role))
                        .expect(201);
        return lab.nobody().with(created.path("token").stringValue());
    }

    /** Returns a request that changes newly created resources. */
    private Request fresh(String operation) {
        TestingClient administrator = lab.administrator();
        return switch (operation) {
            case "DELETE /tokens/{id}" ->
                    Request.of(
                            "/tokens/"
                                    + created(
                                            viewer.client().post("/tokens", Map.of("name", "a"))));
            case "DELETE /join-tokens/{id}" ->
                    Request.of(
                            "/join-tokens/"
                                    + created(administrator.post("/join-tokens", Map.of())));
            case "DELETE /workers/{id}" -> {
                TestingAgent gone = lab.join("gone");
                gone.leave();
                yield Request.of("/workers/" + gone.id());
            }
            case "DELETE /users/{id}" -> Request.of("/users/" + lab.user().id());
            case "DELETE /runs/{id}", "POST /runs/{id}/cancel" -> {
                Answer rerun = administrator.post("/runs/" + ids.get("run") + "/rerun");
                String run = "/runs/" + rerun.expect(202).at("/items/0/id").stringValue();
                if (operation.startsWith("DELETE")) {
                    administrator.post(run + "/cancel").expect(200);
                    yield Request.of(run);
                }
                yield Request.of(run + "/cancel");
            }
            case "DELETE /runs/{id}/model" -> {
                jdbc.update(
                        """
                        insert into run_model
                            (run_id, epoch, generation, rank, upload, accuracy, loss, bytes, digest,
                             kept_at)
                        values (cast(? as uuid), 2, 1, 0, gen_random_uuid(), 0.5, 1, 100,
                            repeat('0f', 32), now())
                        """,
                        Objects.requireNonNull(ids.get("run")));
                yield request(operation);
            }
            case "DELETE /projects/{project}/webhooks/{webhook}" -> {
                String webhooks = "/projects/" + ids.get("project") + "/webhooks";
                yield Request.of(webhooks + "/" + created(administrator.post(webhooks, WEBHOOK)));
            }
            case "DELETE /experiments/{id}" ->
                    Request.of("/experiments/" + created(defined("to be removed")));
            case "PUT /experiments/{id}" ->
                    Request.of(
                            "/experiments/" + created(defined("to be redefined")),
                            named("to be redefined")
                                    .replace("\"seeds\": [1, 2]", "\"seeds\": [3]"));
            case "POST /workers/{id}/expel" ->
                    Request.of("/workers/" + lab.join("unwanted").id() + "/expel");
            case "POST /profiles/{id}/cancel" ->
                    Request.of(
                            "/profiles/"
                                    + created(
                                            administrator.post(
                                                    "/workers/" + agent.id() + "/profiles",
                                                    Map.of("network", "mnist-cnn")))
                                    + "/cancel");
            default -> request(operation);
        };
    }

    private Answer defined(String name) {
        return lab.administrator()
                .post("/projects/" + ids.get("project") + "/experiments", named(name));
    }

    private static String named(String name) {
        return TestingHistory.DEFINITION.replace("\"history\"", "\"" + name + "\"");
    }

    private static String created(Answer response) {
        assertThat(response.status()).as("%s", response.body()).isBetween(200, 299);
        return response.body().path("id").stringValue();
    }

    private void check(
            String operation,
            Request request,
            String who,
            TestingClient caller,
            int expected,
            List<String> faults) {
        long auditEntries = countAuditEntries();
        Answer response = send(operation, request, caller);
        if (!isDescribed(operation, response.status())) {
            faults.add(
                    "%s as %s: %d is not documented".formatted(operation, who, response.status()));
        }
        if (response.status() != expected) {
            faults.add(
                    "%s as %s: %d, not %d: %s"
                            .formatted(
                                    operation, who, response.status(), expected, response.body()));
        } else if (expected >= 400) {
            response.problem(expected, code(operation, who, expected));
            if (countAuditEntries() != auditEntries) {
                faults.add("%s as %s: rejected, but audited".formatted(operation, who));
            }
        }
    }

    private Answer send(String operation, Request request, TestingClient caller) {
        return caller.call(
                HttpMethod.valueOf(operation.substring(0, operation.indexOf(' '))),
                request.path(),
                request.body() == null ? null : text(request.body()),
                request.body() == null ? null : request.type());
    }

    private static String code(String operation, String who, int status) {
        return switch (status) {
            case 401 -> "unauthenticated";
            case 403 -> "forbidden";
            case 409 -> "illegal-state";
            default ->
                    who.equals("viewer")
                            ? MISSING_CODES.getOrDefault(operation, "not-found")
                            : "not-found";
        };
    }

    private String text(Object body) {
        return body instanceof String text ? text : json.writeValueAsString(body);
    }

    private long countAuditEntries() {
        return Objects.requireNonNull(
                jdbc.queryForObject("select count(*) from audit_entry", Long.class));
    }

    private boolean isDescribed(String operation, int status) {
        String[] call = operation.split(" ", 2);
        return !paths().path(API + call[1])
                .path(call[0].toLowerCase(Locale.ROOT))
                .path("responses")
                .path(String.valueOf(status))
                .isMissingNode();
    }

    private JsonNode paths() {
        if (description == null) {
            description = lab.nobody().get("/api/openapi").expect(200).path("paths");
        }
        return description;
    }

    private Set<String> described() {
        Set<String> operations = new TreeSet<>();
        paths().properties()
                .forEach(path ->
                        path.getValue()
                                .propertyNames()
                                .forEach(method ->
                                        operations.add(
                                                method.toUpperCase(Locale.ROOT)
                                                        + " "
                                                        + path.getKey().substring(API.length()))));
        return operations;
    }

    /** The expected statuses other than 200; 404 is for data that this run does not have. */
    private static final Map<String, Integer> SUCCESSES =
            Map.ofEntries(
                    entry("POST /tokens", 201),
                    entry("POST /sign-in-links", 200),
                    entry("DELETE /tokens/{id}", 404),
                    entry("GET /session", 404),
                    entry("DELETE /session", 204),
                    entry("PUT /me/password", 204),
                    entry("GET /runs/{id}/trace", 404),
                    entry("GET /runs/{id}/order", 404),
                    entry("GET /runs/{id}/model", 404),
                    entry("GET /experiments/{id}/imported", 404));

    private static final Map<String, String> MISSING_CODES =
            Map.of(
                    "GET /runs/{id}/trace",
                    "not-traced",
                    "GET /runs/{id}/order",
                    "not-recorded",
                    "GET /runs/{id}/model",
                    "model-not-kept");

    /** Returns a request that is valid apart from its caller. */
    private Request request(String operation) {
        String path = filled(operation.substring(operation.indexOf(' ') + 1));
        return switch (operation) {
            case "POST /projects" -> Request.of(path, Map.of("name", "walk " + UUID.randomUUID()));
            case "PATCH /projects/{id}" ->
                    Request.of(path, Map.of("name", "w " + UUID.randomUUID()));
            case "PUT /projects/{id}/quota" -> Request.of(path, Map.of());
            case "PUT /projects/{id}/members/{user}" -> Request.of(path, Map.of("role", "viewer"));
            case "POST /users" ->
                    Request.of(
                            path,
                            Map.of(
                                    "name",
                                    "w-" + UUID.randomUUID(),
                                    "password",
                                    "a long enough one"));
            case "PATCH /users/{id}" -> Request.of(path, Map.of("disabled", false));
            case "POST /session" ->
                    Request.of(path, Map.of("name", viewer.name(), "password", viewer.password()));
            case "PUT /me/password" ->
                    Request.of(
                            path, Map.of("old", viewer.password(), "password", viewer.password()));
            case "POST /tokens", "POST /join-tokens" -> Request.of(path, Map.of("name", "walk"));
            case "POST /experiments/validate",
                    "POST /projects/{project}/experiments",
                    "PUT /experiments/{id}" ->
                    Request.of(path, TestingHistory.DEFINITION);
            case "POST /projects/{project}/bundles" ->
                    new Request(path, "no bundle", MediaType.valueOf("application/zip"));
            case "PATCH /runs/{id}" -> Request.of(path, Map.of("tags", List.of("walked")));
            case "POST /runs/cancel", "POST /runs/delete" ->
                    Request.of(path, Map.of("ids", List.of(UUID.randomUUID().toString())));
            case "PATCH /experiments/{id}" -> Request.of(path, Map.of("notes", "walked"));
            case "POST /projects/{project}/webhooks" -> Request.of(path, WEBHOOK);
            case "PATCH /projects/{project}/webhooks/{webhook}" ->
                    Request.of(path, Map.of("name", "walked"));
            case "PATCH /workers/{id}" ->
                    Request.of(path, Map.of("labels", Map.of("room", "walked")));
            case "POST /plans" ->
                    Request.of(
                            path,
                            """
                            {"definition": %s,
                             "workers": [{"name": "a", "samplesPerSecond": 100},
                                         {"name": "b", "samplesPerSecond": 50}],
                             "link": {"latencyMicroseconds": 20, "megabytesPerSecond": 10}}
                            """
                                    .formatted(TestingHistory.DEFINITION));
            case "POST /workers/{worker}/profiles" ->
                    Request.of(path, Map.of("network", "mnist-cnn"));
            case "POST /links/measurements" ->
                    Request.of(
                            path,
                            Map.of("workers", List.of(ids.get("worker"), agent.id().toString())));
            case "POST /agents" -> Request.of(path, TestingLab.registration("walk"));
            case "PUT /agents/{id}/credential" ->
                    Request.of(path, new NextCredential(Credential.random(new SecureRandom())));
            case "POST /agents/{id}/heartbeat" ->
                    Request.of(path, new Heartbeat("stranger:5701", Set.of(), false));
            case "PUT /assignments/{id}/checkpoints/{epoch}" ->
                    new Request(path, "no checkpoint", MediaType.APPLICATION_OCTET_STREAM);
            case "PUT /assignments/{id}/model/{epoch}" ->
                    new Request(
                            path + "?rank=0&accuracy=0.5&loss=1",
                            "no model",
                            MediaType.APPLICATION_OCTET_STREAM);
            case "POST /assignments/{id}/events" ->
                    Request.of(path, new Report(1, 1, List.of(new Outcome.Finished())));
            case "GET /comparisons", "GET /comparisons/subjects" ->
                    Request.of(path + "?runs=" + ids.get("run"));
            case "GET /metrics" -> Request.of(path + "?run=" + ids.get("run"));
            case "GET /curves" -> Request.of(path + "?name=train/loss&run=" + ids.get("run"));
            case "GET /runs/{id}/curves" -> Request.of(path + "?name=train/loss");
            default -> Request.of(path);
        };
    }

    /** Replaces placeholders by the ids of existing resources. */
    private String filled(String template) {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("/join-tokens/{id}", "/join-tokens/" + UUID.randomUUID());
        kinds.put("/tokens/{id}", "/tokens/" + UUID.randomUUID());
        kinds.put("/assignments/{id}", "/assignments/" + UUID.randomUUID());
        kinds.put("/agents/{id}", "/agents/" + ids.get("worker"));
        kinds.put("/measurements/{id}", "/measurements/" + ids.get("measurement"));
        kinds.put("/projects/{id}", "/projects/" + ids.get("project"));
        kinds.put("/projects/{project}", "/projects/" + ids.get("project"));
        kinds.put("/members/{user}", "/members/" + ids.get("user"));
        kinds.put("/webhooks/{webhook}", "/webhooks/" + ids.get("webhook"));
        kinds.put("/deliveries/{delivery}", "/deliveries/" + ids.get("delivery"));
        kinds.put("/users/{id}", "/users/" + ids.get("user"));
        kinds.put("/experiments/{id}", "/experiments/" + ids.get("experiment"));
        kinds.put("/experiments/{experiment}", "/experiments/" + ids.get("experiment"));
        kinds.put("/runs/{id}", "/runs/" + ids.get("run"));
        kinds.put("/workers/{id}", "/workers/" + ids.get("worker"));
        kinds.put("/workers/{worker}", "/workers/" + ids.get("worker"));
        kinds.put("/profiles/{id}", "/profiles/" + ids.get("profile"));
        kinds.put("/presets/{name}", "/presets/all-reduce-algorithms");
        String path = template.replace("{epoch}", "1").replace("{part}", "0");
        for (Map.Entry<String, String> kind : kinds.entrySet()) {
            path = path.replace(kind.getKey(), kind.getValue());
        }
        assertThat(path).as("the test must know an id for each of " + template).doesNotContain("{");
        return path;
    }
}
