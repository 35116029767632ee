package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Takes a run through its life at a real service, with the commands that a user types. */
@ExtendWith(SharedLabs.class)
class ClientIT {

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: client-life
            dataset: { name: mnist, limit: 600 }
            network: { preset: mnist-cnn }
            training: { epochs: 1, optimizer: { kind: sgd, learningRate: 0.1 } }
            workers: { replicas: 2 }
            """;

    /** More epochs than any machine trains before the test cancels the run. */
    private static final String ENDLESS = "--set=training.epochs=100000";

    private static final String PASSWORD = "a long enough password";

    @TempDir private Path folder;

    private final StandingLab lab;

    ClientIT(StandingLab lab) {
        this.lab = lab;
    }

    private void logIn() throws Exception {
        logIn("$EQUIPOISE_TOKEN");
    }

    /**
     * Logs in with a secret on standard input, which other users cannot see.
     *
     * @param secret word of the shell
     */
    private void logIn(String secret, String... options) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "sh",
                                "-euc",
                                "printf '%%s\\n' \"%s\" | \"$@\"".formatted(secret),
                                "sh"));
        List<String> words =
                new ArrayList<>(List.of("login", lab.address().toString(), "--context=lab"));
        words.addAll(List.of(options));
        command.addAll(TestingCommand.launch(words.toArray(String[]::new)));
        TestingCommand.Ended ended = TestingCommand.run(command, environment());
        assertThat(ended.status()).as(ended.output()).isZero();
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(lab.environment());
        environment.put("XDG_CONFIG_HOME", folder.toString());
        return environment;
    }

    /** Runs a command that finds its service by the context alone, and returns its output. */
    private String succeed(String... arguments) throws Exception {
        TestingCommand.Ended ended = run(arguments);
        assertThat(ended.status()).as("%s: %s", List.of(arguments), ended.output()).isZero();
        return ended.output();
    }

    private TestingCommand.Ended run(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("env", "-u", "EQUIPOISE_URL", "-u", "EQUIPOISE_TOKEN"));
        command.addAll(TestingCommand.launch(arguments));
        return TestingCommand.run(command, environment());
    }

    private JsonNode json(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.addAll(List.of("--output=json", "--quiet"));
        return JsonMapper.shared().readTree(succeed(words.toArray(String[]::new)));
    }

    private String definition() throws IOException {
        return Files.writeString(folder.resolve("life.yaml"), DEFINITION).toString();
    }

    /** Submits a run without waiting for it, and returns its id. */
    private String submit(String project, String... arguments) throws Exception {
        List<String> words =
                new ArrayList<>(List.of("run", definition(), "--detach", "--project=" + project));
        words.addAll(List.of(arguments));
        return succeed(words.toArray(String[]::new))
                .lines()
                .filter(ResourceNames::isId)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void runIsSubmittedWatchedDownloadedAndDeleted() throws Exception {
        logIn();
        prepareProject();
        String run = submit("run");

        assertThat(succeed("runs", "watch", run)).contains("client-life #1", "COMPLETED");
        assertThat(succeed("runs", "logs", "-f", run))
                .contains(" service is QUEUED", " service is COMPLETED");
        assertThat(json("runs", "get", run.substring(0, 13)).at("/state").asString())
                .isEqualTo("COMPLETED");
        assertThat(json("runs", "list", "--name=client-life"))
                .extracting(it -> it.path("id").asString())
                .contains(run);
        assertThat(succeed("compare", run, "--target=5%")).contains("client-life  1 of 1");
        Path model = folder.resolve("model.safetensors");
        succeed("runs", "model", run, "--file=" + model);
        assertThat(model).isNotEmptyFile();

        succeed("runs", "delete", run, "--yes");

        TestingCommand.Ended gone = run("runs", "get", run);
        assertThat(gone.status()).isEqualTo(1);
        assertThat(gone.output()).startsWith("equipoise: GET /api/v1/runs/");
    }

    @Test
    void runIsCanceledAndQueuedAgain() throws Exception {
        logIn();
        prepareProject();
        String run = submit("run", ENDLESS);

        assertThat(json("runs", "cancel", run).at("/0/state").asString()).isEqualTo("CANCELLED");
        assertThat(run("runs", "watch", run).status()).as("a run did not complete").isEqualTo(1);
        String again = json("runs", "rerun", run).at("/0/id").asString();
        assertThat(again).isNotEqualTo(run);
        succeed("runs", "cancel", again);
        succeed("runs", "delete", run, again);
    }

    @Test
    void editorRunsInTheOnlyProjectOrNamesOneOfSeveral() throws Exception {
        String suffix = UUID.randomUUID().toString();
        try (ServiceApi api = lab.api()) {
            String user = user(api, "editor-" + suffix);
            String only = projectOf(api, user, "only-" + suffix);
            logIn(PASSWORD, "--user=editor-" + suffix);

            assertThat(succeed("run", definition())).containsPattern("client-life +1 of 1 ");

            assertThat(json("runs", "list"))
                    .as("runs that the editor may see")
                    .extracting(it -> api.get("runs/" + it.path("id").asString()))
                    .extracting(it -> it.path("project").asString() + it.path("state").asString())
                    .containsExactly(only + "COMPLETED");

            String other = projectOf(api, user, "other-" + suffix);
            TestingCommand.Ended undecided = run("run", definition());
            assertThat(undecided.status()).isEqualTo(2);
            assertThat(undecided.output())
                    .contains("equipoise: you have several projects: add --project with one of ")
                    .contains("only-" + suffix, "other-" + suffix);

            String run = submit("other-" + suffix, ENDLESS);
            assertThat(json("runs", "cancel", run).at("/0/project").asString()).isEqualTo(other);
        }
    }

    /** Creates a user who is no administrator, and returns the id. */
    private static String user(ServiceApi api, String name) {
        return api.post("users", Map.of("name", name, "password", PASSWORD)).path("id").asString();
    }

    /** Creates a project in which the user is an editor, and returns its id. */
    private static String projectOf(ServiceApi api, String user, String name) {
        String project = api.post("projects", Map.of("name", name)).path("id").asString();
        api.put("projects/%s/members/%s".formatted(project, user), Map.of("role", "editor"));
        return project;
    }

    @Test
    void labIsListed() throws Exception {
        logIn();
        prepareProject();

        assertThat(json("workers", "list", "--state=idle,busy")).hasSizeGreaterThanOrEqualTo(3);
        assertThat(json("presets", "list"))
                .extracting(it -> it.path("name").asString())
                .contains("all-reduce-algorithms");
        assertThat(json("projects", "list"))
                .extracting(it -> it.path("name").asString())
                .contains("run");
        JsonNode token = json("tokens", "create", "of ClientIT", "--role=viewer", "--days=1");
        assertThat(token.path("token").asString()).startsWith("eqp_");
        succeed("tokens", "revoke", token.path("id").asString());
        JsonNode joining = json("join-tokens", "create", "of ClientIT");
        assertThat(joining.path("token").asString()).startsWith("eqj_");
    }

    /** Creates the project of the runs, unless a test before this one has. */
    private void prepareProject() {
        try (ServiceApi api = lab.api()) {
            assertThat(api.project("run")).isNotEmpty();
        }
    }
}
