package dev.equipoise.launcher;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The lab of {@code containers/compose.yaml}, on images that were built before. */
final class ComposedLab implements AutoCloseable {

    static final List<String> AGENTS = List.of("fast", "slow-1", "slow-2");

    private static final String PROJECT = "equipoise-it";
    private static final Path FILE = TestingCommand.HOME.resolve("containers/compose.yaml");
    private static final Path SECRETS = TestingCommand.HOME.resolve("containers/secrets.sh");

    private final Path secrets;
    private final Map<String, String> environment;
    private final List<String> compose;
    private final ServiceApi api;

    private ComposedLab(
            Path secrets, Map<String, String> environment, List<String> compose, ServiceApi api) {
        this.secrets = secrets;
        this.environment = environment;
        this.compose = compose;
        this.api = api;
    }

    /**
     * Starts the lab and returns when its agents see one another.
     *
     * @param secrets folder in which the secrets are made
     */
    static ComposedLab start(Path secrets) throws IOException, InterruptedException {
        TestingTool.run("sh", SECRETS.toString(), secrets.toString());
        int port = OwnService.freePort();
        Map<String, String> environment =
                Map.of(
                        "EQUIPOISE_TAG",
                        "it",
                        "EQUIPOISE_PORT",
                        Integer.toString(port),
                        "EQUIPOISE_DATABASE_IMAGE",
                        System.getProperty("equipoise.test.postgres", "equipoise-postgres:it"),
                        "EQUIPOISE_SECRETS",
                        secrets.toString());
        List<String> compose =
                TestingTool.succeeds("docker", "compose", "version")
                        ? List.of("docker", "compose")
                        : List.of("docker-compose");
        String token = TestingTree.text(secrets.resolve("administrator-token")).strip();
        var api = new ServiceApi(URI.create("http://127.0.0.1:" + port), token);
        var lab = new ComposedLab(secrets, environment, compose, api);
        try {
            lab.compose("up", "-d", "--no-build");
            lab.awaitAgents(AGENTS);
            return lab;
        } catch (IOException | InterruptedException | RuntimeException | Error failure) {
            lab.close();
            throw failure;
        }
    }

    private String compose(String... arguments) throws IOException, InterruptedException {
        return TestingTool.output(environment, command(arguments));
    }

    private String[] command(String... arguments) {
        List<String> command = new ArrayList<>(compose);
        command.addAll(List.of("-p", PROJECT, "-f", FILE.toString()));
        command.addAll(Arrays.asList(arguments));
        return command.toArray(String[]::new);
    }

    ServiceApi api() {
        return api;
    }

    /** Returns all secrets, which only the programs of the lab may know. */
    List<String> secrets() throws IOException {
        try (Stream<Path> files = Files.list(secrets)) {
            return files.map(TestingTree::text).map(String::strip).toList();
        }
    }

    /** Returns the file of a secret. */
    Path secret(String name) {
        return secrets.resolve(name);
    }

    /** Waits until exactly these agents are idle and see one another. */
    void awaitAgents(List<String> names) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> {
                    List<String> idle = idle(names.size());
                    return idle.equals(names) ? "" : "idle agents: " + idle;
                });
    }

    /** Returns the names of the idle agents that see this number of agents. */
    private List<String> idle(int seen) {
        return api.get("workers?limit=500").path("items").values().stream()
                .filter(it -> it.path("state").asString().equals("IDLE"))
                .filter(it -> it.path("sees").size() == seen)
                .map(it -> it.path("name").asString())
                .sorted()
                .toList();
    }

    /**
     * Returns the id of the worker of an agent.
     *
     * @throws AssertionError unless exactly one worker that has not left has this name
     */
    String worker(String name) {
        List<String> ids =
                api.get("workers?limit=500")
                        .path("items")
                        .valueStream()
                        .filter(it -> it.path("name").asString().equals(name))
                        .filter(it -> !it.path("state").asString().equals("LEFT"))
                        .map(it -> it.path("id").asString())
                        .toList();
        if (ids.size() != 1) {
            throw new AssertionError("workers with the name %s: %s".formatted(name, ids));
        }
        return ids.getFirst();
    }

    /** Returns the id of the container of a service of the lab, which must run. */
    String container(String name) throws IOException, InterruptedException {
        return compose("ps", "-q", name).strip();
    }

    /** Starts another container in the place of a removed one, on its volumes. */
    void startContainer(String name) throws IOException, InterruptedException {
        compose("up", "-d", "--no-build", "--no-deps", name);
    }

    void docker(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(Arrays.asList(arguments));
        TestingTool.run(command.toArray(String[]::new));
    }

    /** Inspects a container with a template. */
    String inspect(String name, String format) throws IOException, InterruptedException {
        return TestingTool.output(
                        Map.of(), "docker", "inspect", "--format", format, container(name))
                .strip();
    }

    boolean isHealthy(String name) {
        try {
            return inspect(name, "{{.State.Health.Status}}").equals("healthy");
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    /** Runs a program in a container and returns its output. */
    String output(String name, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("docker", "exec", container(name)));
        all.addAll(Arrays.asList(command));
        return TestingTool.output(Map.of(), all.toArray(String[]::new)).strip();
    }

    /**
     * Starts another service, configured only with an empty database, and returns the id of its
     * container.
     */
    String startAnotherService() throws IOException, InterruptedException {
        String output =
                TestingTool.output(
                        Map.of(),
                        "docker",
                        "run",
                        "--detach",
                        "--network=" + network(),
                        "--env=SPRING_DATASOURCE_URL=jdbc:postgresql://database:5432/postgres",
                        "--env=SPRING_DATASOURCE_USERNAME=equipoise",
                        "--volume=%s:/run/secrets/equipoise/spring.datasource.password:ro"
                                .formatted(secrets.resolve("database-password")),
                        "equipoise-service:it");
        // Warnings of the engine precede the id.
        return output.strip().lines().toList().getLast();
    }

    /** Returns the network that all containers of the lab share. */
    String network() {
        return PROJECT + "_lab";
    }

    @Override
    public void close() {
        api.close();
        var _ = TestingTool.succeeds(environment, command("down", "--volumes", "--timeout", "5"));
    }
}
