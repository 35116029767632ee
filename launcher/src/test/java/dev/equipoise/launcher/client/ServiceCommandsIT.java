package dev.equipoise.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.TestingService;
import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** Runs each command against a service whose answers are known. */
class ServiceCommandsIT {

    private static final String A = "aaaaaaaa-0000-0000-0000-000000000001";
    private static final String B = "aaaabbbb-0000-0000-0000-000000000002";
    private static final String RUN_A =
            """
            {"id": "%s", "experimentName": "flowers", "name": "flowers: bsp, seed 1",
             "position": 0, "state": "COMPLETED", "seed": 1,
             "synchronization": {"kind": "bsp"}, "progress": {"fraction": 1.0, "epochs": 2},
             "testAccuracy": 0.98765, "queuedAt": "2026-01-02T03:04:05.6Z", "tags": ["paper"]}\
            """
                    .formatted(A);
    private static final String RUN_B =
            """
            {"id": "%s", "experimentName": "flowers", "name": "flowers: async, seed 2",
             "position": 1, "state": "FAILED", "seed": 2,
             "synchronization": {"kind": "async"}, "progress": {"fraction": 0.5, "epochs": 2},
             "failure": {"cause": "worker", "message": "rank 1 was lost"},
             "replicas": [{"backend": "oneDNN 3.11.0"}, {"backend": "ND4J"}, {"backend": "ND4J"}],
             "queuedAt": "2026-01-02T03:04:05.6Z", "tags": []}\
            """
                    .formatted(B);
    private static final String PROJECT =
            """
            {"id": "cccccccc-0000-0000-0000-000000000003", "name": "speed", "role": "editor",
             "createdAt": "2026-01-02T03:04:05Z"}\
            """;
    private static final String PROJECT_ID = "cccccccc-0000-0000-0000-000000000003";
    private static final String WORKER =
            """
            {"id": "dddddddd-0000-0000-0000-000000000004", "name": "north", "state": "IDLE",
             "cordon": "OPEN", "host": {"name": "n1", "processors": 8, "backend": "oneDNN 3.11.0"},
             "labels": {"room": "west"},
             "agentVersion": "0.1.0", "lastSeenAt": "2026-01-02T03:04:05Z"}\
            """;
    private static final String WORKER_ID = "dddddddd-0000-0000-0000-000000000004";

    @TempDir private Path folder;

    private final Map<String, Answer> answers = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private List<String> details = List.of();

    private static String items(String... items) {
        return "{\"items\": [%s], \"next\": null}".formatted(String.join(",", items));
    }

    private void answer(String request, String body) {
        answers.put(request, new Answer(200, body));
    }

    /** Runs a command and returns its status. */
    private int run(String... words) throws IOException {
        try (var service = new TestingService(answers)) {
            int status = run(service, words);
            details = service.details();
            return status;
        }
    }

    private int run(TestingService service, String... words) {
        CommandLine line = Launcher.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err, true));
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--service=" + service.address());
        all.add("--token=secret");
        return line.execute(all.toArray(String[]::new));
    }

    private static String problem(String code, String detail) {
        return "{\"code\": \"%s\", \"detail\": \"%s\"}".formatted(code, detail);
    }

    @Test
    void listOfRunsIsATableForPeople() throws IOException {
        answer("GET runs", items(RUN_A, RUN_B));

        assertThat(run("runs", "list")).isZero();

        assertThat(out.toString().lines())
                .hasSize(3)
                .satisfiesExactly(
                        title ->
                                assertThat(title)
                                        .startsWith("ID        NAME                    STATE"),
                        first ->
                                assertThat(first)
                                        .startsWith(
                                                "aaaaaaaa  flowers: bsp, seed 1    COMPLETED  bsp ")
                                        .contains("100 %", "0.9877", "paper"),
                        second ->
                                assertThat(second)
                                        .startsWith(
                                                "aaaabbbb  flowers: async, seed 2  FAILED     async ")
                                        .endsWith("rank 1 was lost (worker)"));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void filtersOfRunsAreThoseOfTheApi() throws IOException {
        answer("GET runs", items());
        answer("GET projects", items(PROJECT));

        assertThat(
                        run(
                                "runs",
                                "list",
                                "--state=queued,running",
                                "--name=a & b",
                                "--tag=paper",
                                "--project=speed",
                                "--limit=7"))
                .isZero();

        assertThat(details)
                .last()
                .isEqualTo(
                        "GET runs project=%s&state=QUEUED,RUNNING&name=a & b&tag=paper&limit=7 "
                                .formatted(PROJECT_ID));
    }

    @Test
    void longListIsReadPageByPageAndSaysWhetherThereIsMore() throws IOException {
        answer("GET runs", "{\"items\": [%s], \"next\": \"c1\"}".formatted(RUN_A));
        try (var service = new TestingService(answers)) {
            service.changeAfter(
                    "GET runs",
                    Map.of(
                            "GET runs",
                            new Answer(
                                    200, "{\"items\": [%s], \"next\": \"c2\"}".formatted(RUN_B))));

            assertThat(run(service, "runs", "list", "--limit=2", "--output=csv")).isZero();

            assertThat(service.details())
                    .containsExactly("GET runs limit=2 ", "GET runs limit=1&cursor=c1 ");
        }
        assertThat(out.toString().lines()).hasSize(3);
        assertThat(err.toString()).contains("there are more than these 2: raise --limit");
    }

    @Test
    void jsonAndYamlHaveAllFieldsOfTheApi() throws IOException {
        answer("GET runs", items(RUN_A));

        assertThat(run("runs", "list", "-o", "json")).isZero();
        assertThat(JsonMapper.shared().readTree(out.toString()).at("/0"))
                .isEqualTo(JsonMapper.shared().readTree(RUN_A));
        out.getBuffer().setLength(0);
        assertThat(run("runs", "list", "-o", "yaml")).isZero();
        assertThat(out.toString()).contains("experimentName: \"flowers\"");
    }

    @Test
    void shortIdMustBeUnique() throws IOException {
        answer("GET runs", items(RUN_A, RUN_B));
        answer("GET runs/" + B, RUN_B);

        assertThat(run("runs", "get", "aaaabb")).isZero();
        assertThat(out.toString())
                .contains("id:", B, "reason:", "rank 1 was lost (worker)", "oneDNN 3.11.0, ND4J\n")
                .doesNotContain("queue position");
        assertThat(err.toString()).contains("/runs/" + B);

        assertThat(run("runs", "get", "aaaa")).isEqualTo(1);
        assertThat(err.toString()).contains("2 resources of the kind run are called aaaa");
        assertThat(run("runs", "get", "aaa")).isEqualTo(1);
        assertThat(err.toString())
                .contains("there is no run aaa; a beginning of an id has at least 4 characters");
    }

    @Test
    void listIsReadOnceForSeveralShortIds() throws IOException {
        answer("GET runs", items(RUN_A, RUN_B));
        answers.put("DELETE runs/" + A, new Answer(204, ""));
        answers.put("DELETE runs/" + B, new Answer(204, ""));

        assertThat(run("runs", "delete", "aaaaaaaa", "aaaabbbb")).isZero();

        assertThat(details)
                .containsExactly(
                        "GET runs limit=500 ",
                        "DELETE runs/%s null ".formatted(A),
                        "DELETE runs/%s null ".formatted(B));
    }

    @Test
    void watchEndsWithStatus1IfARunDidNotComplete() throws IOException {
        answer("GET runs/" + A, RUN_A);
        answer("GET runs/" + B, RUN_B);

        assertThat(run("runs", "watch", A, "--quiet")).isZero();
        assertThat(run("runs", "watch", A, B, "--quiet")).isEqualTo(1);
        assertThat(out.toString()).contains("rank 1 was lost");
    }

    @Test
    void logIsTextAndFollowedUntilTheEnd() throws IOException {
        answer(
                "GET runs/%s/log".formatted(A),
                items(
                        "{\"id\": 2, \"at\": \"t2\", \"rank\": 1, \"worker\": \"north\", \"text\": \"hello\"}",
                        "{\"id\": 1, \"at\": \"t1\", \"rank\": null, \"worker\": null, \"text\": \"is QUEUED\"}"));
        answer("GET runs/" + A, RUN_A);

        assertThat(run("runs", "logs", "-f", A)).isZero();

        assertThat(out.toString()).isEqualTo("t1 service is QUEUED\nt2 rank 1 (north) hello\n");
        assertThat(run("runs", "logs", "-f", A, "--output=csv")).isEqualTo(2);
    }

    @Test
    void severalRunsAreCanceledAndRejectionsAreTold() throws IOException {
        answer("POST runs/%s/cancel".formatted(A), RUN_A);
        answers.put(
                "POST runs/%s/cancel".formatted(B),
                new Answer(409, problem("illegal-state", "The run has ended")));

        assertThat(run("runs", "cancel", A, B, "--yes")).isEqualTo(1);

        assertThat(out.toString()).contains("aaaaaaaa").doesNotContain("aaaabbbb");
        assertThat(err.toString())
                .contains("equipoise: The run has ended (%s)".formatted(B), "canceled 1 run");
    }

    @Test
    void runsAreQueuedAgainAndDeleted() throws IOException {
        answer("POST runs/%s/rerun".formatted(A), items(RUN_B));
        answers.put("DELETE runs/" + A, new Answer(204, ""));

        assertThat(run("runs", "rerun", A)).isZero();
        assertThat(out.toString()).contains("aaaabbbb");
        assertThat(run("runs", "delete", A, "-y")).isZero();
        assertThat(err.toString()).contains("deleted 1 run");
        assertThat(details).containsExactly("DELETE runs/%s null ".formatted(A));
    }

    @Test
    void filterOfRunsIsThatOfTheApi() throws IOException {
        answer("GET runs", items(RUN_A));

        assertThat(
                        run(
                                "runs",
                                "list",
                                "--filter=accuracy > 0.9 and tag = 'a & b'",
                                "--sort=-period"))
                .isZero();

        assertThat(details)
                .containsExactly(
                        "GET runs filter=accuracy > 0.9 and tag = 'a & b'&sort=-period&limit=100 ");
    }

    @Test
    void runsOfAFilterAreChangedIfTheyAreAsManyAsSeen() throws IOException {
        answer("GET runs", items(RUN_A, RUN_B));
        answer(
                "POST runs/cancel",
                """
                {"items": [{"id": "%s", "done": true, "code": null, "detail": null},
                           {"id": "%s", "done": false, "code": "illegal-state",
                            "detail": "Run b is FAILED and cannot be canceled"}], "done": 1}
                """
                        .formatted(A, B));

        assertThat(run("runs", "cancel", "--filter", "seed < 3", "--yes")).isEqualTo(1);

        assertThat(out.toString())
                .contains("aaaaaaaa  true", "aaaabbbb  false", "illegal-state", "is FAILED");
        assertThat(err.toString()).contains("canceled 1 run");
        assertThat(details).hasSize(2).first().isEqualTo("GET runs filter=seed < 3&limit=500 ");
        assertThat(details.getLast())
                .startsWith("POST runs/cancel null ")
                .contains("\"filter\":\"seed < 3\"", "\"expectedCount\":2");
    }

    @Test
    void runsOfAFilterNeedAnAnswerOrTheOption() throws IOException {
        answer("GET runs", items(RUN_A));

        assertThat(run("runs", "delete", "--filter", "seed = 1")).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "this needs --yes", "Delete 1 run with all figures: flowers: bsp, seed 1?");
        assertThat(details).hasSize(1);

        assertThat(run("runs", "delete")).isEqualTo(2);
        assertThat(run("runs", "delete", A, "--filter", "seed = 1")).isEqualTo(2);
        assertThat(err.toString()).contains("name runs or write --filter, and not both");
    }

    @Test
    void filterThatNoRunFulfillsChangesNothing() throws IOException {
        answer("GET runs", items());

        assertThat(run("runs", "delete", "--filter", "seed = 9")).isZero();

        assertThat(err.toString()).contains("no run fulfills the filter");
        assertThat(details).hasSize(1);
    }

    @Test
    void queuedRunsAreListedIfTheServiceStopsBeforeTheNext() throws IOException {
        answer("POST runs/%s/rerun".formatted(A), items(RUN_B));

        assertThat(run("runs", "rerun", A, B, A)).isEqualTo(1);

        assertThat(out.toString()).contains("aaaabbbb");
        assertThat(err.toString()).contains("does not answer", "ids after it were not tried");
        assertThat(details).hasSize(2);
    }

    @Test
    void modelIsDeletedWithoutItsRun() throws IOException {
        answers.put("DELETE runs/%s/model".formatted(A), new Answer(204, ""));

        assertThat(run("runs", "model", A, "--delete", "--yes")).isZero();

        assertThat(details).containsExactly("DELETE runs/%s/model null ".formatted(A));
        assertThat(err.toString()).contains("deleted the model of run " + A);
        assertThat(run("runs", "model", A, "--delete", "--file=-")).isEqualTo(2);
        assertThat(details).isEmpty();
    }

    @Test
    void comparisonIsThatOfTheService() throws IOException {
        answer(
                "GET comparisons",
                """
                {"target": 0.9, "groups": [{"label": "bsp", "runs": ["%s"],
                 "completed": 1, "reached": 0, "figures": {}}], "runs": []}
                """
                        .formatted(A));

        assertThat(run("compare", A, B, "--target=90%")).isZero();

        assertThat(out.toString()).contains("bsp  1 of 1");
        assertThat(details)
                .containsExactly("GET comparisons runs=%s,%s&target=0.9 ".formatted(A, B));
        assertThat(err.toString()).contains("/compare?runs=%5B%22" + A);
    }

    @Test
    void experimentsAreListedShownAndSubmitted() throws IOException {
        String experiment =
                """
                {"id": "%s", "name": "flowers", "version": 2, "configurationCount": 3, "project": "%s",
                 "createdAt": "2026-01-02T03:04:05Z", "definition": {"name": "flowers"}}\
                """
                        .formatted(A, PROJECT_ID);
        answer("GET projects", items(PROJECT));
        answer("GET projects/%s/experiments".formatted(PROJECT_ID), items(experiment));
        answer("GET experiments/" + A, experiment);
        answer("POST experiments/validate", "{\"configurations\": [{}]}");
        answer("POST projects/%s/experiments".formatted(PROJECT_ID), experiment);
        answer("POST experiments/%s/runs".formatted(A), items(RUN_A));
        Path file = Files.writeString(folder.resolve("flowers.yaml"), "name: flowers\n");

        assertThat(run("experiments", "list")).isZero();
        assertThat(out.toString()).contains("aaaaaaaa  flowers  2");
        assertThat(run("experiments", "get", "flowers", "-o", "yaml")).isZero();
        assertThat(out.toString()).contains("definition:");
        assertThat(run("experiments", "submit", file.toString())).isZero();
        assertThat(out.toString()).contains("flowers: bsp, seed 1");
        assertThat(err.toString()).contains("queued 1 of 1 run");
    }

    @Test
    void runsBeforeARejectedDefinitionAreListed() throws IOException {
        answer("GET presets", items("{\"name\": \"rings\", \"scales\": {}}"));
        answer("GET presets/rings", "{\"definitions\": [{\"seed\": 1}, {\"seed\": 2}]}");
        answer("GET projects", items(PROJECT));
        answer("POST experiments/validate", "{\"configurations\": [{}]}");
        answer("POST projects/%s/experiments".formatted(PROJECT_ID), "{\"id\": \"e\"}");
        answer("POST experiments/e/runs", items(RUN_A));
        try (var service = new TestingService(answers)) {
            service.changeAfter(
                    "POST experiments/e/runs",
                    Map.of(
                            "POST experiments/e/runs",
                            new Answer(409, problem("quota-exceeded", "The quota is used up"))));

            assertThat(run(service, "experiments", "submit", "rings", "-o", "csv")).isEqualTo(1);
        }
        assertThat(out.toString()).contains(A);
        assertThat(err.toString()).contains("queued 1 of 2 runs", "The quota is used up");
    }

    @Test
    void projectsAreListedAndCreated() throws IOException {
        answer("GET projects", items(PROJECT));
        answers.put("POST projects", new Answer(201, PROJECT));

        assertThat(run("projects", "list")).isZero();
        assertThat(out.toString()).contains("cccccccc  speed  editor");
        assertThat(run("projects", "create", "speed", "--output=json")).isZero();
        assertThat(details).containsExactly("POST projects null {\"name\":\"speed\"}");
    }

    @Test
    void projectIsDeletedEmptyOrWithEverything() throws IOException {
        answer("GET projects", items(PROJECT));
        answer("GET projects/" + PROJECT_ID, PROJECT.replace("speed", "speed & more"));
        answers.put("DELETE projects/" + PROJECT_ID, new Answer(204, ""));

        assertThat(run("projects", "delete", "speed")).isZero();
        assertThat(details).last().isEqualTo("DELETE projects/%s null ".formatted(PROJECT_ID));
        assertThat(err.toString()).contains("deleted project speed & more");

        assertThat(run("projects", "delete", "speed", "--everything")).isEqualTo(2);
        assertThat(run("projects", "delete", "speed", "--everything", "--yes")).isZero();
        assertThat(details)
                .last()
                .isEqualTo(
                        "DELETE projects/%s everything=true&name=speed & more "
                                .formatted(PROJECT_ID));
    }

    @Test
    void membersAreAddedAndRemovedByName() throws IOException {
        String members = "projects/%s/members".formatted(PROJECT_ID);
        answer("GET projects", items(PROJECT));
        answer("GET me", "{\"administrator\": true}");
        answer("GET users", items("{\"id\": \"%s\", \"name\": \"ann\"}".formatted(A)));
        answer("GET " + members, items("{\"user\": \"%s\", \"name\": \"bob\"}".formatted(B)));
        answer("PUT %s/%s".formatted(members, A), "{}");
        answers.put("DELETE %s/%s".formatted(members, B), new Answer(204, ""));

        assertThat(run("projects", "members", "speed", "--add", "ann=viewer", "--remove", "bob"))
                .isZero();

        assertThat(details)
                .contains(
                        "PUT %s/%s null {\"role\":\"viewer\"}".formatted(members, A),
                        "DELETE %s/%s null ".formatted(members, B));
    }

    @Test
    void workersAreFoundByNameAndChanged() throws IOException {
        answer("GET workers", items(WORKER));
        answer("GET workers/" + WORKER_ID, WORKER);
        answers.put("DELETE workers/" + WORKER_ID, new Answer(204, ""));
        for (String verb : List.of("cordon", "uncordon", "drain", "expel")) {
            answer("POST workers/%s/%s".formatted(WORKER_ID, verb), WORKER);

            assertThat(run("workers", verb, "north")).as(verb).isZero();
            assertThat(details)
                    .last()
                    .isEqualTo("POST workers/%s/%s null {}".formatted(WORKER_ID, verb));
        }

        assertThat(run("workers", "list", "--state=idle")).isZero();
        assertThat(run("workers", "get", "dddd")).isZero();
        assertThat(out.toString())
                .contains("dddddddd  north  IDLE", "room=west", "cores:", "backend:");
        assertThat(run("workers", "delete", "north")).isZero();
        assertThat(err.toString()).contains("deleted 1 worker");
    }

    @Test
    void tokensAreCreatedListedAndRevoked() throws IOException {
        String token = "{\"id\": \"%s\", \"name\": \"nightly\", \"role\": \"editor\"}".formatted(A);
        answers.put(
                "POST tokens", new Answer(201, token.replace("}", ", \"token\": \"eqp_new\"}")));
        answer("GET tokens", items(token));
        answers.put("DELETE tokens/" + A, new Answer(204, ""));

        assertThat(run("tokens", "create", "nightly", "--role=editor", "--service-account"))
                .isZero();
        assertThat(out.toString()).contains("eqp_new");
        assertThat(details)
                .singleElement()
                .asString()
                .contains("\"name\":\"nightly\"", "\"role\":\"editor\"", "\"standsAlone\":true");
        assertThat(run("tokens", "list")).isZero();
        assertThat(run("tokens", "revoke", "nightly")).isZero();
        assertThat(err.toString()).contains("revoked 1 token");
    }

    @Test
    void joinTokensAreCreatedListedAndRevoked() throws IOException {
        String token =
                "{\"id\": \"%s\", \"name\": \"room 1\", \"uses\": 4, \"admitted\": 1}".formatted(A);
        answers.put("POST join-tokens", new Answer(201, "{\"token\": \"eqj_new\", \"uses\": 4}"));
        answer("GET join-tokens", items(token));
        answers.put("DELETE join-tokens/" + A, new Answer(204, ""));

        assertThat(run("join-tokens", "create", "room 1", "--uses=4", "--days=2")).isZero();
        assertThat(out.toString()).contains("eqj_new");
        assertThat(details)
                .singleElement()
                .asString()
                .contains("\"name\":\"room 1\"", "\"uses\":4", "\"expiresAt\":\"2");
        assertThat(run("join-tokens", "list")).isZero();
        assertThat(run("join-tokens", "revoke", "aaaaaaaa")).isZero();
        assertThat(err.toString()).contains("revoked 1 join token");
    }

    @Test
    void openPrintsALinkToTheDashboardOfTheService() throws IOException {
        answers.put(
                "POST sign-in-links",
                new Answer(
                        201,
                        "{\"code\": \"eqc_once\", \"expiresAt\": \"2026-01-05T10:00:00Z\","
                                + " \"path\": \"https://elsewhere.example/\"}"));

        assertThat(run("open")).isZero();
        assertThat(out.toString()).endsWith("/sign-in#code=eqc_once\n").startsWith("http://");
        assertThat(out.toString()).doesNotContain("elsewhere").hasLineCount(1);
        assertThat(run("open", "--output=json")).isZero();
        assertThat(out.toString()).contains("\"url\"", "\"expiresAt\"");
    }

    private static final String WEBHOOK =
            """
            {"id": "%s", "name": "chat", "url": "https://hooks.example/a", "events": ["run.ended"],
             "enabled": false, "disabledReason": "The receiver answered 410", "failures": 1,
             "secret": null}\
            """
                    .formatted(A);

    @Test
    void webhooksAreCreatedListedChangedAndDeleted() throws IOException {
        String path = "projects/" + PROJECT_ID + "/webhooks";
        answer("GET projects", items(PROJECT));
        answers.put(
                "POST " + path,
                new Answer(201, WEBHOOK.replace("\"secret\": null", "\"secret\": \"whsec_new\"")));
        answer("GET " + path, "{\"items\": [%s]}".formatted(WEBHOOK));
        answer("PATCH " + path + "/" + A, WEBHOOK);
        answers.put("DELETE " + path + "/" + A, new Answer(204, ""));

        assertThat(
                        run(
                                "webhooks",
                                "create",
                                "speed",
                                "chat",
                                "https://hooks.example/a",
                                "--event=run.ended",
                                "--event=worker.lost"))
                .isZero();
        assertThat(out.toString()).contains("whsec_new");
        assertThat(details)
                .last()
                .asString()
                .contains("\"name\":\"chat\"", "\"events\":[\"run.ended\",\"worker.lost\"]");
        assertThat(run("webhooks", "list", "speed")).isZero();
        assertThat(out.toString()).contains("The receiver answered 410");
        assertThat(run("webhooks", "enable", "speed", "chat")).isZero();
        assertThat(details).last().asString().contains("{\"enabled\":true}");
        assertThat(run("webhooks", "disable", "speed", "aaaa")).isZero();
        assertThat(run("webhooks", "delete", PROJECT_ID, "chat")).isZero();
        assertThat(err.toString()).contains("deleted 1 webhook");
    }

    @Test
    void deliveriesAreListedAndSentAgain() throws IOException {
        String path = "projects/%s/webhooks/%s".formatted(PROJECT_ID, A);
        String delivery =
                """
                {"id": "%s", "type": "run.ended", "state": "failed", "attempts": 9, "status": 500,
                 "error": "the receiver answered 500", "dueAt": null}\
                """
                        .formatted(B);
        answer("GET " + path + "/deliveries", items(delivery));
        answers.put("POST " + path + "/ping", new Answer(202, delivery));
        answers.put("POST %s/deliveries/%s/resend".formatted(path, B), new Answer(202, delivery));

        assertThat(run("webhooks", "ping", PROJECT_ID, A)).isZero();
        assertThat(run("webhooks", "deliveries", PROJECT_ID, A, "--limit=5")).isZero();
        assertThat(out.toString())
                .contains("aaaabbbb  run.ended  failed", "the receiver answered 500");
        assertThat(run("webhooks", "resend", PROJECT_ID, A, "aaaab")).isZero();
        assertThat(details).last().asString().startsWith("POST " + path + "/deliveries/" + B);
    }

    @Test
    void notesArePrintedWrittenAndDeleted() throws IOException {
        String notes =
                "{\"text\": \"# Why\\n\\n\\u001b[31mred\", \"author\": \"ann\", \"writtenAt\": \"2026-01-02T03:04:05Z\"}";
        answer("GET runs/" + A, "{\"id\": \"%s\", \"notes\": %s}".formatted(A, notes));
        answer("GET runs/" + B, "{\"id\": \"%s\", \"notes\": null}".formatted(B));
        answer("PATCH runs/" + A, "{\"id\": \"%s\"}".formatted(A));
        answer("PATCH experiments/" + A, "{\"id\": \"%s\"}".formatted(A));
        Path file = Files.writeString(folder.resolve("notes.md"), "*kept*\n");

        assertThat(run("runs", "notes", A)).isZero();
        assertThat(out).hasToString("# Why\n\n [31mred\n");
        assertThat(run("runs", "notes", B)).isZero();
        assertThat(err.toString()).contains("run " + B + " has no notes");
        assertThat(run("runs", "notes", A, "--set=Kept.")).isZero();
        assertThat(details).last().isEqualTo("PATCH runs/" + A + " null {\"notes\":\"Kept.\"}");
        assertThat(run("runs", "notes", A, "--file=" + file)).isZero();
        assertThat(details).last().asString().endsWith("{\"notes\":\"*kept*\\n\"}");
        assertThat(run("runs", "notes", A, "--delete")).isZero();
        assertThat(details).last().asString().endsWith("{\"notes\":null}");
        assertThat(run("runs", "notes", A, "--delete", "--set=a")).isEqualTo(2);
        out.getBuffer().setLength(0);
        assertThat(run("runs", "notes", B, "-o", "json")).isZero();
        assertThat(out).hasToString("null\n");
        assertThat(run("experiments", "notes", A, "--set=Three seeds.")).isZero();
        assertThat(details)
                .last()
                .isEqualTo("PATCH experiments/" + A + " null {\"notes\":\"Three seeds.\"}");
    }

    @Test
    void schemaOfDefinitionsIsPrintedAsJson() throws IOException {
        String schema = "{\"title\": \"Equipoise definition\", \"type\": \"object\"}";
        answer("GET schema/definition", schema);

        assertThat(run("schema", "definition")).isZero();

        JsonMapper json = JsonMapper.builder().build();
        assertThat(json.readTree(out.toString())).isEqualTo(json.readTree(schema));
    }

    @Test
    void presetsAreListedAndShown() throws IOException {
        answer(
                "GET presets",
                items(
                        "{\"name\": \"rings\", \"title\": \"Rings\", \"scales\": {\"small\": {}, \"full\": {}}}"));
        answer(
                "GET presets/rings",
                "{\"name\": \"rings\", \"scale\": \"small\", \"definitions\": [{\"name\": \"ring\"}]}");

        assertThat(run("presets", "list")).isZero();
        assertThat(out.toString()).contains("rings  Rings  small full");
        assertThat(run("presets", "get", "rings", "--scale=small")).isZero();
        assertThat(out.toString()).contains("[{\"name\":\"ring\"}]");
        assertThat(details).containsExactly("GET presets/rings scale=small ");
    }

    @Test
    void wrongCommandLinesEndWithStatus2() throws IOException {
        assertThat(run("runs")).isEqualTo(2);
        assertThat(run("runs", "list", "--output=xml")).isEqualTo(2);
        assertThat(err.toString()).contains("xml");
        assertThat(run("runs", "list", "--limit=0")).isEqualTo(2);
        assertThat(err.toString()).contains("--limit must be at least 1, but was 0");
        assertThat(run("tokens", "create", "a", "--days=0")).isEqualTo(2);
        assertThat(err.toString()).contains("--days must be from 1 to 36500, but was 0");
    }

    @Test
    void rejectionsAndUnreachableServicesAreSentencesAndStatus1() throws IOException {
        answers.put("GET tokens", new Answer(403, problem("forbidden", "needs the role editor")));

        assertThat(run("tokens", "list")).isEqualTo(1);
        assertThat(run("projects", "list")).isEqualTo(1);

        assertThat(err.toString().lines())
                .allMatch(it -> it.startsWith("equipoise: "))
                .anyMatch(it -> it.endsWith("needs the role editor"))
                .noneMatch(it -> it.contains("Exception"));
    }
}
