package dev.equipoise.launcher;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A lab of a service with its database and of agents, with methods that break and repair them. */
final class ChaosLab implements AutoCloseable {

    static final int AGENTS = 3;
    private static final Duration POLL_PERIOD = Duration.ofMillis(100);

    private final Path folder;
    private final boolean hasNetworks;
    private final int port;
    private final List<Machine> machines = new ArrayList<>();
    private int started;
    private @Nullable Process service;
    private @Nullable ServiceApi api;

    /** A process of an agent, and the name of its worker. */
    private record Agent(String name, Process process) {}

    /** An agent, and the network namespace in which it runs alone; null if it has none. */
    private static final class Machine {

        private final @Nullable Namespace network;
        private Agent agent;

        private Machine(@Nullable Namespace network, Agent agent) {
            this.network = network;
            this.agent = agent;
        }
    }

    private ChaosLab(Path folder, boolean hasNetworks, int port) {
        this.folder = folder;
        this.hasNetworks = hasNetworks;
        this.port = port;
    }

    /**
     * Starts a lab, with a network namespace for each agent if this machine allows it. A JVM can
     * have one such lab at a time. Returns when the agents see one another.
     */
    static ChaosLab start(Path folder) throws IOException, InterruptedException {
        return start(folder, Namespace.arePossible());
    }

    /** Starts a lab whose processes all use the loopback. */
    static ChaosLab startOnLoopback(Path folder) throws IOException, InterruptedException {
        return start(folder, false);
    }

    private static ChaosLab start(Path folder, boolean hasNetworks)
            throws IOException, InterruptedException {
        var lab = new ChaosLab(folder, hasNetworks, OwnService.freePort());
        try {
            lab.start();
            return lab;
        } catch (IOException | InterruptedException | RuntimeException | Error failure) {
            lab.close();
            throw failure;
        }
    }

    private void start() throws IOException, InterruptedException {
        Files.createDirectories(checkpoints());
        if (hasNetworks) {
            Namespace.createSwitch();
            TestingTool.run(
                    "mount",
                    "-t",
                    "tmpfs",
                    "-o",
                    "size=64m",
                    Namespace.mountSource(),
                    checkpoints().toString());
        }
        restartService();
        api = new ServiceApi(address(), token());
        while (machines.size() < AGENTS) {
            Namespace network = hasNetworks ? Namespace.of(10 + machines.size()) : null;
            machines.add(new Machine(network, startAgent(network)));
        }
        awaitAgents();
    }

    boolean hasNetworks() {
        return hasNetworks;
    }

    ServiceApi api() {
        return Objects.requireNonNull(api, "the service is not up yet");
    }

    Path folder() {
        return folder;
    }

    Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    URI address() {
        return URI.create(
                "http://%s:%d".formatted(hasNetworks ? Namespace.HOST : "127.0.0.1", port));
    }

    private String token() throws IOException {
        return Files.readString(tokenFile()).strip();
    }

    private Path tokenFile() {
        return folder.resolve("administrator.token");
    }

    private Agent startAgent(@Nullable Namespace network) throws IOException {
        String name = "agent-" + started++;
        String token = api().post("join-tokens", Map.of("name", name)).path("token").asString();
        List<String> arguments =
                new ArrayList<>(List.of("agent", "--service=" + address(), "--name=" + name));
        if (network != null) {
            arguments.add("--host=" + network.address());
        }
        Process process =
                start(
                        name,
                        network == null ? List.of() : network.prefix(),
                        Map.of("EQUIPOISE_JOIN_TOKEN", token),
                        arguments.toArray(String[]::new));
        return new Agent(name, process);
    }

    private Process start(
            String log, List<String> prefix, Map<String, String> secrets, String... arguments)
            throws IOException {
        return TestingCommand.startIn(folder, log, prefix, secrets, arguments);
    }

    void awaitAgents() {
        await(() -> {
            List<JsonNode> ready =
                    api().get("workers?limit=500").path("items").values().stream()
                            .filter(it -> it.path("state").asString().equals("IDLE"))
                            .filter(it -> it.path("sees").size() >= AGENTS)
                            .toList();
            return ready.size() < AGENTS
                    ? "%d of %d agents are ready".formatted(ready.size(), AGENTS)
                    : "";
        });
    }

    /** Runs a definition to its end. */
    JsonNode run(String project, String definition) {
        return awaitEnd(submit(project, definition));
    }

    JsonNode awaitEnd(String run) {
        await(
                Patience.FOR_A_RUN,
                () -> isOver(api().get("runs/" + run)) ? "" : "" + api().get("runs/" + run));
        return api().get("runs/" + run);
    }

    /** Submits the single run of a definition, which is then queued. */
    String submit(String project, String definition) {
        return submit(api(), project, definition);
    }

    /** Submits the single run of a definition to any service. */
    static String submit(ServiceApi api, String project, String definition) {
        return queue(api, create(api, project, definition));
    }

    /** Creates an experiment from a definition. */
    String create(String project, String definition) {
        return create(api(), project, definition);
    }

    private static String create(ServiceApi api, String project, String definition) {
        return api.post(
                        "projects/%s/experiments".formatted(project),
                        new ServiceApi.Document("application/yaml", definition))
                .path("id")
                .asString();
    }

    /** Queues a run of an experiment. */
    String queue(String experiment) {
        return queue(api(), experiment);
    }

    private static String queue(ServiceApi api, String experiment) {
        return api.post("experiments/%s/runs".formatted(experiment), Map.of())
                .at("/items/0/id")
                .asString();
    }

    /** Deletes a run that has ended, with all its figures. */
    void deleteRun(String run) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address().resolve("/api/v1/runs/" + run))
                        .header("Authorization", "Bearer " + token())
                        .DELETE()
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status != 204) {
                throw new AssertionError("run %s is not deleted: status %d".formatted(run, status));
            }
        }
    }

    static boolean isOver(JsonNode run) {
        return List.of("COMPLETED", "FAILED", "CANCELLED").contains(run.path("state").asString());
    }

    /** Waits until nothing is missing; asks again if the service does not answer. */
    static void await(Supplier<String> missing) {
        await(Patience.PATIENCE, missing);
    }

    static void await(Duration patience, Supplier<String> missing) {
        long end = System.nanoTime() + patience.toNanos();
        String obstacle = obstacle(missing);
        while (!obstacle.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("after %s: %s".formatted(patience, obstacle));
            }
            Pause.of(POLL_PERIOD);
            obstacle = obstacle(missing);
        }
    }

    private static String obstacle(Supplier<String> missing) {
        try {
            return missing.get();
        } catch (ServiceUnreachable unreachable) {
            return String.valueOf(unreachable.getMessage());
        }
    }

    /** Returns the number of the agent whose worker has a name. */
    int numberOf(String worker) {
        return IntStream.range(0, machines.size())
                .filter(it -> machines.get(it).agent.name().equals(worker))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no agent is named " + worker));
    }

    /** Returns how often the service has declared one of the present workers lost, by its log. */
    long losses() throws IOException {
        List<String> notes =
                machines.stream().map(it -> "worker lost: %s ".formatted(it.agent.name())).toList();
        // A killed service may leave half a character.
        try (Stream<String> lines =
                Files.lines(folder.resolve("logs/service.log"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> notes.stream().anyMatch(line::contains)).count();
        }
    }

    void killAgent(int number) {
        machines.get(number).agent.process().destroyForcibly();
    }

    /** Starts another agent on the same machine. */
    void replaceAgent(int number) throws IOException {
        Machine machine = machines.get(number);
        machine.agent = startAgent(machine.network);
    }

    void hangAgent(int number) throws IOException, InterruptedException {
        signal("-STOP", machines.get(number).agent.process().toHandle());
    }

    void wakeAgent(int number) throws IOException, InterruptedException {
        signal("-CONT", machines.get(number).agent.process().toHandle());
    }

    Namespace networkOf(int number) {
        Namespace network = machines.get(number).network;
        if (network == null) {
            throw new AssertionError("the agents have no network namespaces here");
        }
        return network;
    }

    void sh(String command) throws IOException, InterruptedException {
        TestingTool.run("sh", "-c", command);
    }

    /** Fills the disk of the checkpoints. */
    void fillCheckpoints() throws IOException, InterruptedException {
        sh("cat /dev/zero > '%s' 2>/dev/null; true".formatted(filler()));
    }

    void emptyCheckpoints() throws IOException {
        Files.delete(filler());
    }

    private Path filler() {
        return checkpoints().resolve("filler");
    }

    void killService() {
        service().destroyForcibly().onExit().join();
    }

    void stopService() {
        service().destroy();
        service().onExit().join();
    }

    private Process service() {
        return Objects.requireNonNull(service, "the service was not started");
    }

    /** Starts the service and returns when it answers. */
    void restartService() throws IOException {
        Process process =
                start(
                        "service",
                        List.of(),
                        Map.of(),
                        "service",
                        "--server.address=" + (hasNetworks ? "0.0.0.0" : "127.0.0.1"),
                        "--server.port=" + port,
                        "--equipoise.data=" + folder.resolve("data"),
                        "--equipoise.checkpoint.folder=" + checkpoints(),
                        // The default keeps more space free than this disk has.
                        "--equipoise.checkpoint.kept-free=4MB",
                        "--equipoise.account.administrator-token-file=" + tokenFile());
        service = process;
        await(() ->
                ServiceApi.isUp(new ServiceEndpoint(address(), null))
                        ? ""
                        : "the service is not up; its process is alive: " + process.isAlive());
    }

    /** Stops all processes of the database with SIGSTOP. */
    void hangDatabase() throws IOException, InterruptedException {
        for (ProcessHandle each : database()) {
            signal("-STOP", each);
        }
    }

    void wakeDatabase() throws IOException, InterruptedException {
        for (ProcessHandle each : database()) {
            signal("-CONT", each);
        }
    }

    /** Returns all processes of the database. */
    List<ProcessHandle> database() throws IOException {
        Path file = databaseFolder().resolve("postmaster.pid");
        long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
        ProcessHandle first = ProcessHandle.of(pid).orElseThrow();
        return Stream.concat(Stream.of(first), first.descendants()).toList();
    }

    Path databaseFolder() {
        return folder.resolve("data/postgresql/data");
    }

    /** Returns the service and the agents, by name. */
    Map<String, ProcessHandle> programs() {
        Map<String, ProcessHandle> programs = new LinkedHashMap<>();
        programs.put("service", service().toHandle());
        for (int i = 0; i < machines.size(); i++) {
            programs.put("agent-" + i, machines.get(i).agent.process().toHandle());
        }
        return programs;
    }

    private static void signal(String signal, ProcessHandle process)
            throws IOException, InterruptedException {
        TestingTool.run("kill", signal, Long.toString(process.pid()));
    }

    /** Restores networks and restarts dead processes; returns when all agents are idle. */
    void repair() throws IOException, InterruptedException {
        if (!service().isAlive()) {
            restartService();
        }
        for (Machine machine : machines) {
            if (machine.network != null) {
                machine.network.heal();
            }
            if (!machine.agent.process().isAlive()) {
                machine.agent = startAgent(machine.network);
            }
        }
        awaitAgents();
    }

    @Override
    public void close() {
        machines.forEach(it -> it.agent.process().destroyForcibly().onExit().join());
        if (service != null) {
            service.destroy();
            service.onExit()
                    .completeOnTimeout(service, Patience.SECONDS, TimeUnit.SECONDS)
                    .join()
                    .destroyForcibly();
        }
        if (api != null) {
            api.close();
        }
        for (Machine machine : machines) {
            if (machine.network != null) {
                machine.network.close();
            }
        }
        if (hasNetworks) {
            Namespace.deleteSwitch();
            TestingTool.succeeds("umount", checkpoints().toString());
        }
    }
}
