package dev.equipoise.app.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.app.checkpoint.TestingModels;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.ContentDigest;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates a request for each operation that the service must accept, from a caller who may send it.
 * What a successful request uses up or destroys is created for it.
 */
final class ValidRequests {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "NAME", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"layers": [{"flatten": {}}, {"dense": {"units": 10}}, {"relu": {}}, {"dense": {"units": 10}}]},
             "training": {"epochs": 2, "batchSize": 10,
                          "optimizer": {"kind": "sgd", "learningRate": 0.1, "momentum": 0.5}},
             "workers": {"replicas": 3, "selector": {"room": "nowhere"}},
             "synchronization": {"kind": "bsp"}, "topology": {"kind": "all-reduce", "algorithm": "ring"},
             "partitioning": {"kind": "equal"},
             "matrix": {"training.batchSize": [10, 20]}, "seeds": [1, 2]}
            """;

    private static final String YAML_DEFINITION =
            """
            apiVersion: equipoise/v1
            name: NAME
            dataset: {name: mnist, limit: 3000}
            network: {preset: mnist-cnn}
            training: {epochs: 2, batchSize: 10}
            workers: {replicas: 3, selector: {room: nowhere}}
            """;

    private static final String PLAN =
            """
            {"definition": DEFINITION,
             "workers": [{"name": "a", "samplesPerSecond": 100, "slowDown": 2, "host": "one"},
                         {"name": "b", "samplesPerSecond": 50}],
             "link": {"latencyMicroseconds": 20, "megabytesPerSecond": 10}}
            """;

    /** Webhook at a name that never has an address. */
    private static final String WEBHOOK =
            """
            {"name": "fuzzed", "url": "https://receiver.invalid/hook", "events": ["run.ended"]}
            """;

    /** Operations whose body is a definition, as JSON or YAML. */
    private static final Set<String> DEFINITIONS =
            Set.of(
                    "POST /experiments/validate",
                    "POST /projects/{project}/experiments",
                    "PUT /experiments/{id}");

    private static final List<String> WORKERS = List.of("/workers", "/links", "/profiles");

    private final FuzzLab lab;
    private final JsonMapper json;
    private final Random random;

    ValidRequests(FuzzLab lab, JsonMapper json, Random random) {
        this.lab = lab;
        this.json = json;
        this.random = random;
    }

    Draft of(Operation operation) {
        Draft draft = new Draft(operation, lab.administrator());
        if (operation.path().startsWith("/agents")) {
            return ofAgent(draft);
        }
        if (operation.path().startsWith("/assignments")) {
            return ofRank(draft, pick(lab.training()));
        }
        if (operation.path().startsWith("/projects/{project}/webhooks")) {
            return ofWebhook(draft);
        }
        return operation.changes() ? change(draft) : read(draft);
    }

    private <T> T pick(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    private String newJoinToken() {
        return id(lab.lab().administrator().post("/join-tokens", Map.of()));
    }

    private Draft read(Draft draft) {
        return switch (draft.operation().name()) {
            case "GET /session" -> draft.by(lab.session().caller());
            case "GET /users", "GET /audit", "GET /join-tokens" -> draft;
            case "GET /join-tokens/{id}" -> draft.at("id", newJoinToken());
            case "GET /users/{id}" -> draft.at("id", lab.viewerUser());
            case "GET /presets/{name}" -> draft.at("name", "all-reduce-algorithms");
            case "GET /workers/speeds" -> anyReader(draft);
            case "GET /workers/{id}", "GET /workers/{id}/history" ->
                    anyReader(draft).at("id", lab.worker());
            case "GET /workers/{worker}/profiles" -> anyReader(draft).at("worker", lab.worker());
            case "GET /profiles/{id}", "GET /profiles/{id}/curve" ->
                    anyReader(draft).at("id", lab.profile());
            case "GET /links/measurements/{id}" -> anyReader(draft).at("id", measurement());
            case "GET /comparisons", "GET /comparisons/subjects" ->
                    anyReader(draft).query("runs", lab.completedRun());
            case "GET /metrics" -> anyReader(draft).query("run", lab.completedRun());
            case "GET /curves" ->
                    anyReader(draft).query("run", lab.completedRun()).query("name", "train/loss");
            case "GET /runs/{id}/order" -> anyReader(draft).at("id", lab.recordedRun());
            case "GET /runs/{id}/curves" ->
                    anyReader(draft).at("id", lab.completedRun()).query("name", "train/loss");
            case "GET /experiments/{id}/imported" -> draft.at("id", lab.importedExperiment());
            default -> inProject(anyReader(draft));
        };
    }

    /** Lets a viewer or an editor of the project send the request in two of three cases. */
    private Draft anyReader(Draft draft) {
        return switch (random.nextInt(3)) {
            case 0 -> draft.by(lab.viewerCaller());
            case 1 -> draft.by(lab.editor());
            default -> draft;
        };
    }

    /** Names the completed run, its experiment or its project in the path, if it names one. */
    private Draft inProject(Draft draft) {
        String path = draft.operation().path();
        if (path.startsWith("/runs/{id}")) {
            return draft.at("id", lab.completedRun());
        }
        if (path.startsWith("/experiments/{id}")) {
            return draft.at("id", lab.completedExperiment());
        }
        if (path.startsWith("/projects/{id}")) {
            return draft.at("id", lab.project());
        }
        return path.startsWith("/projects/{project}") ? draft.at("project", lab.project()) : draft;
    }

    private Draft change(Draft draft) {
        String path = draft.operation().path();
        if (DEFINITIONS.contains(draft.operation().name())) {
            return definition(draft);
        }
        if (path.startsWith("/projects")) {
            return changeOfProject(draft);
        }
        if (path.startsWith("/runs") || path.startsWith("/experiments")) {
            return changeOfRun(draft);
        }
        return WORKERS.stream().anyMatch(path::startsWith)
                ? changeOfWorker(draft)
                : changeOfAccount(draft);
    }

    private Draft definition(Draft draft) {
        String name = lab.name();
        switch (draft.operation().name()) {
            case "POST /projects/{project}/experiments" ->
                    draft.by(lab.editor()).at("project", lab.project());
            case "PUT /experiments/{id}" -> draft.at("id", lab.define(name));
            default -> draft.by(lab.viewerCaller());
        }
        return random.nextInt(4) == 0
                ? draft.body(
                        "application/yaml", YAML_DEFINITION.replace("NAME", name).getBytes(UTF_8))
                : draft.json(DEFINITION.replace("NAME", name));
    }

    private Draft changeOfProject(Draft draft) {
        return switch (draft.operation().name()) {
            case "POST /projects" -> draft.json(text(Map.of("name", lab.name())));
            case "DELETE /projects/{id}" -> draft.at("id", emptyProject());
            case "PATCH /projects/{id}" ->
                    draft.at("id", lab.lab().project().id()).json(text(Map.of("name", lab.name())));
            case "PUT /projects/{id}/quota" ->
                    draft.at("id", lab.lab().project().id())
                            .json(
                                    """
                                    {"replicasAtOnce": 1000, "queuedRuns": 100000,
                                     "workerMinutesAWeek": 1000000, "storedBytes": 1000000000000}
                                    """);
            case "PUT /projects/{id}/members/{user}" ->
                    draft.at("id", lab.lab().project().id())
                            .at("user", lab.viewerUser())
                            .json(text(Map.of("role", "viewer")));
            case "DELETE /projects/{id}/members/{user}" ->
                    draft.at("id", projectWithMember()).at("user", lab.viewerUser());
            case "POST /projects/{project}/bundles" ->
                    draft.at("project", lab.otherProject()).body("application/zip", lab.bundle());
            default -> throw unknown(draft);
        };
    }

    private String emptyProject() {
        return id(lab.lab().administrator().post("/projects", Map.of("name", lab.name())));
    }

    /** Uses a new project each time, since a project may have ten webhooks only. */
    private Draft ofWebhook(Draft draft) {
        String project = lab.lab().project().id();
        draft.at("project", project);
        String name = draft.operation().name();
        if (name.equals("POST /projects/{project}/webhooks")) {
            return draft.json(WEBHOOK);
        }
        if (name.equals("GET /projects/{project}/webhooks")) {
            return draft;
        }
        String path = "/projects/" + project + "/webhooks";
        String webhook = id(lab.lab().administrator().post(path, WEBHOOK));
        draft.at("webhook", webhook);
        return switch (name) {
            case "GET /projects/{project}/webhooks/{webhook}",
                    "DELETE /projects/{project}/webhooks/{webhook}",
                    "POST /projects/{project}/webhooks/{webhook}/ping",
                    "GET /projects/{project}/webhooks/{webhook}/deliveries" ->
                    draft;
            case "PATCH /projects/{project}/webhooks/{webhook}" ->
                    draft.json("{\"name\": \"fuzzed\", \"events\": [\"worker.lost\"]}");
            case "POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/resend" ->
                    draft.at(
                            "delivery",
                            id(lab.lab().administrator().post(path + "/" + webhook + "/ping")));
            default -> throw unknown(draft);
        };
    }

    private String projectWithMember() {
        String project = lab.lab().project().id();
        lab.lab()
                .administrator()
                .put(
                        "/projects/" + project + "/members/" + lab.viewerUser(),
                        Map.of("role", "viewer"))
                .expect(200);
        return project;
    }

    private Draft changeOfRun(Draft draft) {
        return switch (draft.operation().name()) {
            case "POST /experiments/{experiment}/runs" ->
                    draft.by(lab.editor()).at("experiment", lab.define(lab.name()));
            case "DELETE /experiments/{id}" ->
                    draft.by(lab.editor()).at("id", lab.define(lab.name()));
            case "PATCH /runs/{id}" ->
                    draft.by(lab.editor())
                            .at("id", lab.queue())
                            .json(
                                    "{\"priority\": 5, \"tags\": [\"a\", \"b c\"], \"notes\": \"# a\\nb\"}");
            case "PATCH /experiments/{id}" ->
                    draft.by(lab.editor())
                            .at("id", lab.define(lab.name()))
                            .json("{\"notes\": \"*fuzzed*\"}");
            case "POST /runs/{id}/cancel" -> draft.by(lab.editor()).at("id", lab.queue());
            case "POST /runs/cancel" ->
                    draft.by(lab.editor()).json(text(Map.of("ids", List.of(lab.queue()))));
            case "POST /runs/delete" ->
                    draft.by(lab.editor()).json(text(Map.of("ids", List.of(canceledRun()))));
            case "DELETE /runs/{id}", "DELETE /runs/{id}/model", "POST /runs/{id}/rerun" ->
                    draft.by(lab.editor()).at("id", canceledRun());
            default -> throw unknown(draft);
        };
    }

    private String canceledRun() {
        String run = lab.queue();
        lab.lab().administrator().post("/runs/" + run + "/cancel").expect(200);
        return run;
    }

    private Draft changeOfWorker(Draft draft) {
        return switch (draft.operation().name()) {
            case "POST /workers/{id}/uncordon" -> draft.at("id", cordonedWorker());
            case "POST /workers/{id}/cordon",
                    "POST /workers/{id}/drain",
                    "POST /workers/{id}/expel" ->
                    draft.at("id", lab.idleAgent().id().toString());
            case "DELETE /workers/{id}" -> draft.at("id", departedWorker());
            case "PATCH /workers/{id}" ->
                    draft.at("id", lab.idleAgent().id().toString())
                            .json("{\"labels\": {\"rack\": \"7\", \"old\": null}}");
            case "POST /workers/{worker}/profiles" -> newProfile(draft);
            case "POST /profiles/{id}/cancel" -> draft.at("id", requestedProfile());
            case "POST /links/measurements" -> draft.json(text(Map.of("workers", twoWorkers())));
            case "POST /links/measurements/{id}/cancel" -> draft.at("id", measurement());
            default -> throw unknown(draft);
        };
    }

    private String cordonedWorker() {
        String worker = lab.idleAgent().id().toString();
        lab.lab().administrator().post("/workers/" + worker + "/cordon").expect(200);
        return worker;
    }

    private String departedWorker() {
        TestingAgent agent = lab.idleAgent();
        agent.leave();
        return agent.id().toString();
    }

    private Draft newProfile(Draft draft) {
        draft.at("worker", lab.idleAgent().id().toString());
        return random.nextBoolean()
                ? draft.json("{\"network\": \"mnist-cnn\"}")
                : draft.body("text/csv", lab.curve().getBytes(UTF_8));
    }

    private String requestedProfile() {
        return id(
                lab.lab()
                        .administrator()
                        .post(
                                "/workers/" + lab.idleAgent().id() + "/profiles",
                                Map.of("network", "mnist-cnn")));
    }

    private String measurement() {
        return id(
                lab.lab()
                        .administrator()
                        .post("/links/measurements", Map.of("workers", twoWorkers())));
    }

    private List<String> twoWorkers() {
        TestingAgent first = lab.lab().join(lab.name());
        TestingAgent second = lab.lab().join(lab.name());
        TestingLab.beat(List.of(first, second));
        return List.of(first.id().toString(), second.id().toString());
    }

    private Draft changeOfAccount(Draft draft) {
        return switch (draft.operation().name()) {
            case "POST /session" ->
                    draft.by(Caller.NOBODY).json(withPassword("name", lab.session().user().name()));
            case "POST /sign-in-links" -> draft;
            case "DELETE /session" -> draft.by(lab.signIn(lab.session().user()));
            case "PUT /me/password" ->
                    draft.by(Caller.bearer("USER", lab.lab().user().client().bearer()))
                            .json(withPassword("old", FuzzLab.PASSWORD));
            case "POST /users" -> draft.json(withPassword("name", lab.name()));
            case "PATCH /users/{id}" -> draft.at("id", newUser()).json("{\"disabled\": false}");
            case "DELETE /users/{id}" -> draft.at("id", newUser());
            case "POST /tokens" -> draft.by(lab.viewerCaller()).json("{\"name\": \"fuzzed\"}");
            case "DELETE /tokens/{id}" -> draft.at("id", newToken());
            case "POST /join-tokens" -> draft.json("{\"name\": \"fuzzed\", \"uses\": 2}");
            case "DELETE /join-tokens/{id}" -> draft.at("id", newJoinToken());
            case "POST /plans" ->
                    draft.by(lab.viewerCaller())
                            .json(PLAN.replace("DEFINITION", TestingHistory.DEFINITION));
            default -> throw unknown(draft);
        };
    }

    private String withPassword(String field, String value) {
        return text(Map.of(field, value, "password", FuzzLab.PASSWORD));
    }

    private String newUser() {
        return id(lab.lab().administrator().post("/users", withPassword("name", lab.name())));
    }

    private String newToken() {
        return id(lab.lab().administrator().post("/tokens", Map.of("name", "fuzzed")));
    }

    private static String id(Answer created) {
        if (created.status() / 100 != 2) {
            throw new AssertionError("a valid request was rejected: " + created);
        }
        return created.body().path("id").stringValue();
    }

    private Draft ofAgent(Draft draft) {
        String name = draft.operation().name();
        if (name.equals("POST /agents")) {
            return draft.by(lab.newcomer())
                    .json(text(TestingLab.registration(lab.name(), Map.of("room", "fuzzed"))));
        }
        TestingAgent agent =
                name.equals("PUT /agents/{id}/credential") ? lab.renewingAgent() : lab.idleAgent();
        draft.by(lab.agent(agent)).at("id", agent.id().toString());
        return switch (name) {
            case "DELETE /agents/{id}" -> draft;
            case "PUT /agents/{id}/credential" ->
                    draft.json(text(new NextCredential(Credential.random(new SecureRandom()))));
            case "POST /agents/{id}/heartbeat" ->
                    draft.json(text(new Heartbeat("fuzzed:5701", Set.of(agent.id()), false)));
            // Without a wait the service waits for an assignment for 20 s.
            case "POST /agents/{id}/lease" -> draft.query("wait", "0");
            default -> throw unknown(draft);
        };
    }

    private Draft ofRank(Draft draft, FuzzLab.Rank rank) {
        draft.by(lab.agent(rank.agent())).at("id", rank.part().id().toString());
        return switch (draft.operation().name()) {
            case "PUT /assignments/{id}/checkpoints/{epoch}" ->
                    draft.at("epoch", "1")
                            .body(
                                    "application/octet-stream",
                                    TestingCheckpoints.file(rank.part(), 1));
            case "GET /assignments/{id}/checkpoint/{part}" -> draft.at("part", "0");
            case "PUT /assignments/{id}/model/{epoch}" -> model(draft, rank.part());
            case "GET /assignments/{id}/order", "GET /assignments/{id}/initial-model" -> draft;
            case "POST /assignments/{id}/events" -> report(draft, rank);
            default -> throw unknown(draft);
        };
    }

    private static Draft model(Draft draft, Assignment.Training part) {
        byte[] file = TestingModels.file(part.plan().network(), 1);
        return draft.at("epoch", Integer.toString(part.plan().epochs()))
                .query("rank", Integer.toString(part.rank()))
                .query("accuracy", "0.5")
                .query("loss", "1.5")
                .header(ContentDigest.HEADER, ContentDigest.of(TestingModels.sha256(file)))
                .body("application/octet-stream", file);
    }

    private Draft report(Draft draft, FuzzLab.Rank rank) {
        int number = rank.part().rank();
        long step = 100 + rank.next();
        List<AgentEvent> events =
                List.of(
                        new RunReport.Noted(number, "fuzzed"),
                        new RunReport.Observed(
                                number,
                                "train/loss",
                                1,
                                List.of(step),
                                List.of(2.0 + rank.next()),
                                List.of(0.5),
                                0));
        Report report = new Report(rank.part().generation(), rank.next(), events);
        return draft.json(text(report)).whenAccepted(() -> rank.reported(events.size()));
    }

    private String text(Object body) {
        return json.writeValueAsString(body);
    }

    private static IllegalArgumentException unknown(Draft draft) {
        return new IllegalArgumentException(
                "no valid request of " + draft.operation() + " is known: add one here");
    }
}
