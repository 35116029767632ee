package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.QuietService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.patch.MergePatch;
import dev.equipoise.app.schedule.TestingSchedulerLoop;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.testing.Night;
import dev.equipoise.testing.Seeds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends invalid bodies to every call that takes a body. Each must be rejected as a client error,
 * with a problem that reveals no internals, and nothing may be stored.
 */
@QuietService
class BadBodiesIT {

    private static final Logger log = LoggerFactory.getLogger(BadBodiesIT.class);
    private static final String API = "/api/v1";

    private static final long SEED = Seeds.seed();

    private static final int GATE_CASES = 600;
    private static final int MIN_CASES = 2000;
    private static final int BODIES_PER_CALL = 150;
    private static final int MAX_RESPONSE_CHARACTERS = 20_000;
    private static final int MAX_REPORTED = 20;
    private static final String PROBLEM = "application/problem+json";

    /** Statuses of a rejection; 401 is for a name and password that nobody has. */
    private static final Set<Integer> REJECTED = Set.of(400, 401, 404, 409, 413, 415, 422);

    private static final Pattern INTERNALS =
            Pattern.compile(
                    "javax?\\.|jakarta\\.|org\\.(springframework|hibernate|postgresql|yaml|snakeyaml)"
                            + "|tools\\.jackson|com\\.fasterxml|dev\\.equipoise|Exception|Constraints"
                            + "|Deserializ|\\\\tat |SQL|Node\\b");

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "bad", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"layers": [{"flatten": {}}, {"dense": {"units": 10}}, {"relu": {}}, {"dense": {"units": 10}}]},
             "training": {"epochs": 2, "batchSize": 10,
                          "optimizer": {"kind": "sgd", "learningRate": 0.1, "momentum": 0.5}},
             "workers": {"replicas": 3, "selector": {"room": "a"}},
             "synchronization": {"kind": "bsp"}, "topology": {"kind": "all-reduce", "algorithm": "ring"},
             "partitioning": {"kind": "equal"},
             "matrix": {"training.batchSize": [10, 20]}, "seeds": [1, 2]}
            """;

    private static final String RUN_DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 100, "batchSize": 10},
             "workers": {"replicas": 3}}
            """;

    private static final String YAML_DEFINITION =
            """
            apiVersion: equipoise/v1
            name: bad
            dataset: {name: mnist, limit: 3000}
            network: {preset: mnist-cnn}
            training: {epochs: 2, batchSize: 10}
            workers: {replicas: 3}
            """;

    private final TestingLab lab;
    private final JdbcClient database;
    private final JsonMapper json;
    private final BeanFactory service;
    private final int port;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private List<TestingAgent> agents = List.of();
    private List<Assignment.Training> parts = List.of();
    private String contents = "";

    /** The latest stored contents; empty if they may have changed since. */
    private Map<String, String> latest = Map.of();

    private int cases;
    private int accepted;

    BadBodiesIT(
            @Autowired TestingLab lab,
            @Autowired JdbcClient database,
            @Autowired JsonMapper json,
            @Autowired BeanFactory service,
            @LocalServerPort int port) {
        this.lab = lab;
        this.database = database;
        this.json = json;
        this.service = service;
        this.port = port;
    }

    /** A call, its caller's token, and the bodies to send. */
    private record Call(
            String operation,
            String path,
            Supplier<String> token,
            @Nullable String valid,
            List<BadBody> bodies) {

        Call(String operation, String path, Supplier<String> token, List<BadBody> bodies) {
            this(operation, path, token, null, bodies);
        }

        String method() {
            return operation.substring(0, operation.indexOf(' ')).toUpperCase(Locale.ROOT);
        }

        @Override
        public String toString() {
            return "%s with %s".formatted(operation, valid);
        }
    }

    /** Makes all workers busy, as in a lab in use. */
    @BeforeEach
    void occupyAllWorkers() {
        agents = lab.agents(3);
        lab.project().submitOne(RUN_DEFINITION);
        TestingSchedulerLoop.giveWork(service);
        parts = agents.stream().map(TestingAgent::training).toList();
        contents =
                database.sql(
                                """
                                select string_agg(format('select %L as name, count(*) || '' rows, '' || coalesce(sum(hashtextextended('
                                           'xmin::text || ctid::text, 0)), 0) as content from %I',
                                           table_name, table_name), ' union all ')
                                from information_schema.tables
                                where table_schema = 'public' and table_type = 'BASE TABLE'
                                """)
                        .query(String.class)
                        .single();
    }

    @AfterEach
    void clear() {
        lab.clear();
        http.close();
    }

    @Test
    void invalidBodiesAreRejectedAndNothingIsStored() throws Exception {
        sendBadBodies(GATE_CASES);
    }

    @Test
    @Night("sends all bodies, which takes minutes")
    void allInvalidBodiesAreRejectedAndNothingIsStored() throws Exception {
        sendBadBodies(Integer.MAX_VALUE);
    }

    private void sendBadBodies(int maxCases) throws Exception {
        log.info("bad bodies of seed {}", SEED);
        List<Call> calls = calls(new BadBodies(new Random(SEED)));
        assertThat(calls.stream().map(Call::operation).collect(Collectors.toSet()))
                .as("every call with a body is tested here")
                .containsAll(described());

        requireValid(calls);
        int all = calls.stream().mapToInt(call -> call.bodies().size()).sum();
        assertThat(all).isGreaterThanOrEqualTo(MIN_CASES);
        double share = Math.min(1, (double) maxCases / all);
        List<String> faults = new ArrayList<>();
        for (Call call : calls) {
            for (BadBody body : some(call.bodies(), share)) {
                faultOf(call, body).ifPresent(faults::add);
            }
        }

        log.info("sent {} bad bodies, of which {} turned out to be valid", cases, accepted);
        assertThat(faults.stream().limit(MAX_REPORTED))
                .as("%d faults of seed %d", faults.size(), SEED)
                .isEmpty();
        assertThat(accepted).isLessThan(cases / 10);
        List.of("/projects", "/tokens", "/workers", "/runs", "/links", "/links/measurements")
                .forEach(path -> lab.administrator().get(path).expect(200));
    }

    /** Picks an evenly spread share of the bodies, and at least one. */
    private static List<BadBody> some(List<BadBody> bodies, double share) {
        int count = (int) Math.ceil(bodies.size() * share);
        return IntStream.range(0, count)
                .mapToObj(number -> bodies.get((int) ((long) number * bodies.size() / count)))
                .toList();
    }

    /** Requires the uncorrupted bodies to be valid; 404 and 409 are possible for other reasons. */
    private void requireValid(List<Call> calls) throws IOException, InterruptedException {
        for (Call call : calls) {
            if (call.valid() != null) {
                BadBody valid = BadBody.suspect("nothing", BadBodies.JSON, call.valid());
                HttpResponse<String> response = send(call, valid, call.token().get());
                assertThat(response.statusCode())
                        .as("%s: %s", call, response.body())
                        .isIn(200, 201, 202, 204, 404, 409);
            }
        }
    }

    /** Sends the body and returns what is wrong with the response. */
    private Optional<String> faultOf(Call call, BadBody body)
            throws IOException, InterruptedException {
        String token = call.token().get();
        Map<String, String> before = latest.isEmpty() ? stored() : latest;
        latest = Map.of();
        String transactions = writingTransactions();
        HttpResponse<String> response = send(call, body, token);
        cases++;
        boolean isAccepted = response.statusCode() < 300;
        accepted += isAccepted ? 1 : 0;
        Optional<String> fault = isAccepted ? faultOfAcceptance(body) : faultOfRejection(response);
        if (!isAccepted && writingTransactions().equals(transactions)) {
            latest = before;
        } else if (!isAccepted && fault.isEmpty()) {
            Set<String> changed = changedSince(before);
            fault =
                    changed.isEmpty()
                            ? Optional.empty()
                            : Optional.of("stored something in " + changed);
        }
        if (body.isInvalid() && response.body().contains("\"name-taken\"")) {
            fault = Optional.of("the fault was not detected");
        }
        return fault.map(it ->
                "%s: %s %s -> %d %s"
                        .formatted(
                                it,
                                call.operation(),
                                body,
                                response.statusCode(),
                                response.body()));
    }

    private static Optional<String> faultOfAcceptance(BadBody body) {
        return body.isInvalid() ? Optional.of("must be rejected") : Optional.empty();
    }

    private Optional<String> faultOfRejection(HttpResponse<String> response) {
        if (!REJECTED.contains(response.statusCode())) {
            return Optional.of("another status");
        }
        if (!response.headers().allValues("Content-Type").equals(List.of(PROBLEM))) {
            return Optional.of("no problem body");
        }
        JsonNode problem = json.readTree(response.body());
        if (!codes(response.statusCode()).contains(problem.path("code").asString(""))
                || problem.path("detail").asString("").isBlank()) {
            return Optional.of("no code or no detail");
        }
        if (INTERNALS.matcher(response.body()).find()) {
            return Optional.of("reveals internals");
        }
        if (response.body().length() > MAX_RESPONSE_CHARACTERS) {
            return Optional.of("a too long response");
        }
        return Optional.empty();
    }

    private Set<String> changedSince(Map<String, String> before) {
        latest = stored();
        return latest.entrySet().stream()
                .filter(it -> !it.getValue().equals(before.get(it.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> codes(int status) {
        return Stream.of(ErrorCode.values())
                .filter(code -> code.status() == status)
                .map(ErrorCode::code)
                .toList();
    }

    private HttpResponse<String> send(Call call, BadBody body, String token)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:%d%s%s"
                                                .formatted(port, API, call.path())))
                        .header("Authorization", "Bearer " + token)
                        .method(
                                call.method(),
                                HttpRequest.BodyPublishers.ofByteArray(body.bytes()));
        if (body.type() != null) {
            request.header("Content-Type", body.type());
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /**
     * Returns a number that changes with every transaction that has written: while it is equal,
     * nothing new is stored.
     */
    private String writingTransactions() {
        return database.sql("select pg_snapshot_xmax(pg_current_snapshot())::text")
                .query(String.class)
                .single();
    }

    private Map<String, String> stored() {
        return database
                .sql(contents)
                .query((row, _) -> Map.entry(row.getString("name"), row.getString("content")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Returns the calls with a body by the OpenAPI description. A merge patch has the same parser
     * as JSON.
     */
    private Set<String> described() {
        Set<String> operations = new TreeSet<>();
        lab.nobody()
                .get("/api/openapi")
                .expect(200)
                .path("paths")
                .properties()
                .forEach(path ->
                        path.getValue()
                                .properties()
                                .forEach(method ->
                                        types(method.getValue())
                                                .map(type ->
                                                        "%s %s %s"
                                                                .formatted(
                                                                        method.getKey(),
                                                                        path.getKey()
                                                                                .substring(
                                                                                        API
                                                                                                .length()),
                                                                        type))
                                                .forEach(operations::add)));
        return operations;
    }

    private static Stream<String> types(JsonNode operation) {
        return operation.at("/requestBody/content").propertyNames().stream()
                .filter(it -> !it.equals(MergePatch.MEDIA_TYPE));
    }

    private List<Call> calls(BadBodies bad) {
        Supplier<String> administrator = () -> token(lab);
        TestingAgent agent = agents.getFirst();
        Supplier<String> credential = agent.client()::bearer;
        String project = lab.project().id();
        String worker = agent.id().toString();
        String workers = "[\"%s\", \"%s\"]".formatted(worker, agents.getLast().id());
        List<Call> calls = new ArrayList<>();
        calls.add(call("post /projects", "/projects", administrator, bad, "{\"name\": \"a\"}"));
        calls.add(
                call(
                        "post /tokens",
                        "/tokens",
                        administrator,
                        bad,
                        "{\"name\": \"a\", \"project\": \"%s\"}".formatted(project)));
        calls.add(
                call("post /join-tokens", "/join-tokens", administrator, bad, "{\"name\": \"a\"}"));
        calls.add(
                call(
                        "patch /workers/{id}",
                        "/workers/" + worker,
                        administrator,
                        bad,
                        "{\"labels\": {\"rack\": \"7\", \"old\": null}}"));
        for (String id : List.of(project, UUID.randomUUID().toString())) {
            calls.addAll(
                    definition(
                            "post /projects/{project}/experiments",
                            "/projects/" + id + "/experiments",
                            administrator,
                            bad));
        }
        String experiment =
                lab.administrator()
                        .post("/projects/" + project + "/experiments", DEFINITION)
                        .expect(201)
                        .path("id")
                        .stringValue();
        for (String id : List.of(experiment, UUID.randomUUID().toString())) {
            calls.addAll(
                    definition("put /experiments/{id}", "/experiments/" + id, administrator, bad));
        }
        calls.add(
                call(
                        "patch /experiments/{id}",
                        "/experiments/" + experiment,
                        administrator,
                        bad,
                        "{\"notes\": \"*bad*\"}"));
        for (String change : List.of("cancel", "delete")) {
            calls.add(
                    call(
                            "post /runs/" + change,
                            "/runs/" + change,
                            administrator,
                            bad,
                            "{\"ids\": [\"%s\"]}".formatted(UUID.randomUUID())));
        }
        calls.addAll(webhooks(project, administrator, bad));
        calls.addAll(accounts(project, administrator, bad));
        calls.addAll(
                definition(
                        "post /experiments/validate", "/experiments/validate", administrator, bad));
        calls.add(
                call(
                        "post /plans",
                        "/plans",
                        administrator,
                        bad,
                        """
                        {"definition": %s, "target": 0.9,
                         "workers": [{"name": "a", "samplesPerSecond": 100, "slowDown": 2, "host": "one"},
                                     {"name": "b", "points": [{"size": 10, "seconds": 0.1}], "memoryBytes": 1000}],
                         "link": {"latencyMicroseconds": 20, "megabytesPerSecond": 10}}
                        """
                                .formatted(DEFINITION)));
        calls.add(
                new Call(
                        "post /plans application/yaml",
                        "/plans",
                        administrator,
                        bad.ofYaml("definition: {name: x}\n")));
        for (String id : List.of(worker, UUID.randomUUID().toString())) {
            String path = "/workers/" + id + "/profiles";
            calls.add(
                    call(
                            "post /workers/{worker}/profiles",
                            path,
                            administrator,
                            bad,
                            """
                            {"network": "mnist-cnn", "points": {"kind": "fixed", "sizes": [8, 16]},
                             "precision": {"minRepetitions": 5, "maxRepetitions": 100, "confidence": 0.95,
                                           "relativeError": 0.025, "secondsPerPoint": 4.0},
                             "company": ["%s"]}
                            """
                                    .formatted(agents.getLast().id())));
            calls.add(
                    new Call(
                            "post /workers/{worker}/profiles text/csv",
                            path,
                            administrator,
                            bad.ofLines(curve(), BadBodies.CSV, BODIES_PER_CALL)));
        }
        calls.add(
                new Call(
                        "post /projects/{project}/bundles application/zip",
                        "/projects/" + project + "/bundles",
                        administrator,
                        bad.ofBytes(bundle(), BadBodies.ZIP, BODIES_PER_CALL)));
        calls.add(
                call(
                        "post /links/measurements",
                        "/links/measurements",
                        administrator,
                        bad,
                        "{\"workers\": %s}".formatted(workers)));
        calls.add(
                agentCall(
                        "post /agents",
                        "/agents",
                        this::joinToken,
                        bad,
                        json.writeValueAsString(
                                TestingLab.registration("bad", Map.of("room", "a")))));
        for (String id : List.of(worker, UUID.randomUUID().toString())) {
            calls.add(
                    agentCall(
                            "post /agents/{id}/heartbeat",
                            "/agents/" + id + "/heartbeat",
                            credential,
                            bad,
                            json.writeValueAsString(
                                    new Heartbeat("agent-0:5701", Set.of(agent.id()), false))));
        }
        for (String id : List.of(worker, UUID.randomUUID().toString())) {
            calls.add(
                    agentCall(
                            "put /agents/{id}/credential",
                            "/agents/" + id + "/credential",
                            credential,
                            bad,
                            json.writeValueAsString(
                                    new NextCredential(
                                            Credential.of(
                                                    "eqw_" + "another1".repeat(5) + "xyz")))));
        }
        Assignment.Training part = parts.getFirst();
        for (String id : List.of(part.id().toString(), UUID.randomUUID().toString())) {
            calls.add(
                    new Call(
                            "put /assignments/{id}/checkpoints/{epoch} " + BadBodies.BYTES,
                            "/assignments/" + id + "/checkpoints/1",
                            credential,
                            bad.ofBytes(new byte[500], BadBodies.BYTES, BODIES_PER_CALL / 10)));
            calls.add(
                    new Call(
                            "put /assignments/{id}/model/{epoch} " + BadBodies.BYTES,
                            "/assignments/" + id + "/model/1?rank=0&accuracy=0.5&loss=1",
                            credential,
                            bad.ofBytes(new byte[500], BadBodies.BYTES, BODIES_PER_CALL / 10)));
        }
        for (String id : List.of(part.id().toString(), UUID.randomUUID().toString())) {
            for (AgentEvent event : events()) {
                calls.add(
                        agentCall(
                                "post /assignments/{id}/events",
                                "/assignments/" + id + "/events",
                                credential,
                                bad,
                                json.writeValueAsString(
                                        new Report(part.generation(), 1, List.of(event)))));
            }
        }
        return calls;
    }

    private List<Call> webhooks(String project, Supplier<String> administrator, BadBodies bad) {
        String webhook =
                """
                {"name": "bad", "url": "https://receiver.invalid/hook", "events": ["run.ended"],
                 "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
                """;
        String path = "/projects/" + project + "/webhooks";
        String id = lab.administrator().post(path, webhook).expect(201).path("id").stringValue();
        return List.of(
                call("post /projects/{project}/webhooks", path, administrator, bad, webhook),
                call(
                        "patch /projects/{project}/webhooks/{webhook}",
                        path + "/" + id,
                        administrator,
                        bad,
                        """
                        {"name": "bad", "url": "https://receiver.invalid/hook",
                         "events": ["run.ended"], "enabled": false}
                        """));
    }

    private List<Call> accounts(String project, Supplier<String> administrator, BadBodies bad) {
        TestingLab.User user = lab.user();
        String run = lab.project().submitOne(RUN_DEFINITION);
        return List.of(
                call(
                        "post /users",
                        "/users",
                        administrator,
                        bad,
                        "{\"name\": \"bob\", \"password\": \"long enough b\", \"administrator\": false}"),
                call(
                        "patch /users/{id}",
                        "/users/" + user.id(),
                        administrator,
                        bad,
                        "{\"password\": \"%s\", \"administrator\": false, \"disabled\": false}"
                                .formatted(user.password())),
                call(
                        "post /session",
                        "/session",
                        administrator,
                        bad,
                        json.writeValueAsString(
                                Map.of("name", user.name(), "password", user.password()))),
                call(
                        "patch /projects/{id}",
                        "/projects/" + project,
                        administrator,
                        bad,
                        "{\"name\": \"%s\"}".formatted(project)),
                call(
                        "put /projects/{id}/quota",
                        "/projects/" + project + "/quota",
                        administrator,
                        bad,
                        """
                        {"replicasAtOnce": 1000, "queuedRuns": 100000,
                         "workerMinutesAWeek": 1000000, "storedBytes": 1000000000000}
                        """),
                call(
                        "put /projects/{id}/members/{user}",
                        "/projects/" + project + "/members/" + user.id(),
                        administrator,
                        bad,
                        "{\"role\": \"viewer\"}"),
                call(
                        "put /me/password",
                        "/me/password",
                        user.client()::bearer,
                        bad,
                        "{\"old\": \"%s\", \"password\": \"%s\"}"
                                .formatted(user.password(), user.password())),
                call(
                        "patch /runs/{id}",
                        "/runs/" + run,
                        administrator,
                        bad,
                        "{\"priority\": 5, \"tags\": [\"a\", \"b c\"], \"notes\": \"# a\\nb\"}"));
    }

    private static List<AgentEvent> events() {
        return List.of(
                new RunReport.ReplicaReady(0, 0.002, "start"),
                new RunReport.RoundReached(0, 1, 1),
                TestingEpochs.epoch(
                        1,
                        1000,
                        1,
                        1,
                        2,
                        4,
                        1000,
                        0.5,
                        new EpochFinished.TestScore(0.9, 0.4),
                        "one"));
    }

    private List<Call> definition(
            String operation, String path, Supplier<String> token, BadBodies bad) {
        return List.of(
                call(operation, path, token, bad, DEFINITION),
                new Call(
                        operation + " " + BadBodies.YAML,
                        path,
                        token,
                        bad.ofYaml(YAML_DEFINITION)));
    }

    private Call call(
            String operation, String path, Supplier<String> token, BadBodies bad, String valid) {
        return new Call(
                operation + " " + BadBodies.JSON,
                path,
                token,
                valid,
                bad.ofJson(json.readTree(valid), BODIES_PER_CALL));
    }

    private Call agentCall(
            String operation, String path, Supplier<String> token, BadBodies bad, String valid) {
        return new Call(
                operation + " " + BadBodies.JSON,
                path,
                token,
                valid,
                bad.ofAgentsJson(json.readTree(valid), BODIES_PER_CALL));
    }

    private byte[] bundle() {
        TestingLab.Project project = lab.project();
        String experiment = project.define(DEFINITION).path("id").stringValue();
        return project.member().bytes("/experiments/" + experiment + "/bundle");
    }

    private String curve() {
        return """
        # kernel: training-step:mnist-cnn
        # host: host
        # device: oneDNN
        # threads: 2
        # slow-down: 1.5
        # load: 100
        # date: %s
        # disturbed: 16
        size,mean_s,reps,ci_s,sd_s
        8,0.0123,34,0.0002,0.0006
        16,0.02,34,0.0002,0.0006
        32,0.04,34,0.0002,0.0006
        """
                .formatted(lab.clock().instant());
    }

    /**
     * Creates a token for each body, since registering uses it up; it is stored before the contents
     * are read.
     */
    private String joinToken() {
        latest = Map.of();
        return lab.joinToken();
    }

    private static String token(TestingLab lab) {
        return lab.administrator().bearer();
    }
}
