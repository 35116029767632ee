package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Upgrades agents while runs continue, as docs/operate.md describes it: each new agent starts from
 * an archive unpacked beside that of the old one. The service is that of the archive too.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeIT {

    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    /**
     * More epochs than any machine trains while agents are replaced. The tests then cancel their
     * runs.
     */
    private static final int ENDLESS = 20_000;

    /** Largest number of points of a curve that the service returns. */
    private static final int BUCKETS = 2000;

    private static final String ELASTIC = "replicas: 4, minimum: 3";

    private final Map<String, Running> agents = new LinkedHashMap<>();
    private final List<String> runs = new ArrayList<>();
    private Path folder;
    private Installation oldRelease;
    private Installation newRelease;
    private OwnService service;
    private ServiceApi api;
    private String project;

    private record Running(Process process, String worker) {}

    @BeforeAll
    void start(@TempDir Path shared) throws Exception {
        folder = shared;
        oldRelease = Installation.layOut(folder.resolve("old"));
        newRelease = oldRelease.copyTo(folder.resolve("new"));
        service = startService();
        api = service.api();
        for (String name : NAMES) {
            startAgent(name, oldRelease);
        }
        for (String name : NAMES) {
            awaitJoined(name);
        }
        project = api.post("projects", Map.of("name", "upgrade")).path("id").asString();
    }

    /** Cancels the runs, so that the agents are idle again even if the test has failed. */
    @AfterEach
    void cancelAll() {
        runs.forEach(this::cancel);
        runs.clear();
    }

    @AfterAll
    void stop() {
        agents.values().forEach(it -> it.process().destroyForcibly().onExit().join());
        if (service != null) {
            service.close();
        }
        if (api != null) {
            api.close();
        }
    }

    private OwnService startService() throws IOException {
        int port = OwnService.freePort();
        Process process =
                oldRelease.start(
                        folder.resolve("service.log"),
                        Map.of(
                                "EQUIPOISE_RESTARTS",
                                "0",
                                "EQUIPOISE_ACCOUNT_ADMINISTRATORTOKEN",
                                OwnService.ADMINISTRATOR,
                                "EQUIPOISE_ACCOUNT_JOINTOKEN",
                                OwnService.JOINING),
                        "service",
                        "--server.port=" + port,
                        "--equipoise.data=" + folder.resolve("data"));
        return OwnService.ready(
                process, new ServiceEndpoint(URI.create("http://127.0.0.1:" + port), null));
    }

    private void startAgent(String name, Installation release) throws IOException {
        Path log = folder.resolve("agent-%s.log".formatted(name));
        Process process =
                release.start(
                        log,
                        Map.of(
                                "EQUIPOISE_JOIN_TOKEN",
                                OwnService.JOINING,
                                "XDG_STATE_HOME",
                                folder.resolve("state-" + name).toString()),
                        "agent",
                        "--service=" + service.address(),
                        "--name=" + name);
        agents.put(name, new Running(process, ""));
    }

    private Running agent(String name) {
        return Objects.requireNonNull(agents.get(name), name);
    }

    /** Waits until all other workers see the worker of this agent, in any state. */
    private void awaitJoined(String name) {
        var arrived = new ArrayList<String>();
        ChaosLab.await(() -> {
            arrived.clear();
            api.get("workers?limit=100&state=IDLE,BUSY")
                    .path("items")
                    .valueStream()
                    .filter(it -> it.path("name").asString().equals(name))
                    .filter(it -> it.path("sees").size() == NAMES.size())
                    .map(it -> it.path("id").asString())
                    .forEach(arrived::add);
            return arrived.size() == 1 ? "" : name + " has not joined: " + arrived;
        });
        agents.put(name, new Running(agent(name).process(), arrived.getFirst()));
    }

    /** Requests a drain and returns at once. */
    private Running drain(String name) {
        Running old = agent(name);
        api.post("workers/%s/drain".formatted(old.worker()), Map.of());
        return old;
    }

    /**
     * Waits until the agent has ended by itself, and starts its successor, which returns as the
     * same worker.
     */
    private void replace(String name, Running old) throws Exception {
        assertThat(old.process().waitFor(Patience.SECONDS, TimeUnit.SECONDS))
                .as("%s has left, of %s", name, api.get("workers/" + old.worker()))
                .isTrue();
        assertThat(old.process().exitValue()).isZero();
        // The service may learn of it later: a leaving agent waits only briefly for an answer.
        ChaosLab.await(() -> {
            JsonNode worker = api.get("workers/" + old.worker());
            return worker.path("state").asString().equals("LEFT") ? "" : "" + worker;
        });
        startAgent(name, newRelease);
        awaitJoined(name);
        assertThat(agent(name).worker()).isEqualTo(old.worker());
    }

    private String submit(String name, String workers) {
        String run =
                ChaosLab.submit(
                        api,
                        project,
                        """
                        apiVersion: equipoise/v1
                        name: %s
                        dataset: { name: synthetic, shape: [28, 28, 1], classes: 10, samples: 1500, seed: 1 }
                        network: { preset: mnist-cnn }
                        training: { epochs: %d, batchSize: 32 }
                        workers: { %s }
                        """
                                .formatted(name, ENDLESS, workers));
        runs.add(run);
        return run;
    }

    /** Cancels a run unless it has ended, and waits for its end. */
    private void cancel(String run) {
        if (!ChaosLab.isOver(state(run))) {
            api.post("runs/%s/cancel".formatted(run), Map.of());
        }
        ChaosLab.await(() -> ChaosLab.isOver(state(run)) ? "" : "it has not ended: " + state(run));
    }

    private JsonNode state(String run) {
        return api.get("runs/" + run);
    }

    private void awaitEpoch(String run, int epoch) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> state(run).at("/progress/epoch").asInt() >= epoch ? "" : "" + state(run));
    }

    /** Waits until rank 0 has reported its loss up to a round. */
    private void awaitRound(String run, int round) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> {
                    List<Integer> reported = steps(run);
                    return !reported.isEmpty() && reported.getLast() >= round
                            ? ""
                            : "reported rounds: " + reported;
                });
    }

    /** Returns the workers of the current or the last generation. */
    private List<String> workersOf(String run) {
        return state(run)
                .path("replicas")
                .valueStream()
                .map(it -> it.path("worker").asString())
                .toList();
    }

    private void awaitParticipation(String run, String name) {
        String worker = agent(name).worker();
        ChaosLab.await(() ->
                workersOf(run).contains(worker)
                                && state(run).path("state").asString().equals("RUNNING")
                        ? ""
                        : "%s does not take part yet: %s".formatted(name, state(run)));
    }

    @Test
    void elasticRunContinuesWhileEachOfItsAgentsIsReplaced() throws Exception {
        String run = submit("elastic", ELASTIC);
        awaitEpoch(run, 2);

        for (String name : NAMES) {
            replace(name, drain(name));
            awaitParticipation(run, name);
        }
        JsonNode upgraded = state(run);
        System.out.printf(
                "all agents replaced by epoch %d, in generation %d%n",
                upgraded.at("/progress/epoch").asInt(), upgraded.path("generation").asInt());
        // Waits for the end of the current epoch and of another one.
        awaitRound(run, (upgraded.path("epochs").size() + 2) * rounds(upgraded));
        JsonNode trained = state(run);
        cancel(run);

        assertThat(trained.path("state").asString()).as("%s", trained).isEqualTo("RUNNING");
        assertThat(trained.path("setbacks").asInt()).isZero();
        assertThat(trained.path("replicasIdentical").asBoolean()).isTrue();
        List<Integer> epochs =
                trained.path("epochs").valueStream().map(it -> it.path("epoch").asInt()).toList();
        assertThat(epochs).isEqualTo(IntStream.rangeClosed(1, epochs.size()).boxed().toList());
        assertThat(workersOf(run))
                .containsExactlyInAnyOrderElementsOf(
                        agents.values().stream().map(Running::worker).toList());
        int bound = maxGap(trained);
        assertThat(gaps(steps(run))).allMatch(it -> it <= bound, "at most " + bound);
    }

    /** Runs commands of the archive in an empty folder. */
    @Test
    void commandsOfTheArchiveRunOutsideOfTheCheckout(@TempDir Path home) throws Exception {
        Files.writeString(
                home.resolve("experiment.yaml"),
                """
                apiVersion: equipoise/v1
                name: archive
                dataset: { name: synthetic, shape: [28, 28, 1], classes: 10, samples: 600, seed: 1 }
                network: { preset: mnist-cnn }
                training: { epochs: 1, batchSize: 32 }
                workers: { replicas: 2 }
                """);
        Map<String, String> environment =
                Map.of(
                        "EQUIPOISE_URL",
                        service.address().toString(),
                        "EQUIPOISE_TOKEN",
                        OwnService.ADMINISTRATOR);
        String summary = "--summary=summary.json";

        TestingCommand.Ended run =
                newRelease.run(
                        home, environment, "run", "experiment.yaml", "--project=upgrade", summary);

        assertThat(run.status()).as(run.output()).isZero();
        assertThat(home.resolve("summary.json")).isNotEmptyFile();
        assertThat(newRelease.run(home, environment, "help").output())
                .contains("usage: equipoise COMMAND", "\n  over-ssh ", "\n  runs ");
        assertThat(newRelease.run(home, environment, "over-ssh", "--version").output())
                .contains("equipoise over-ssh ");
        assertThat(newRelease.run(home, environment, "man").output())
                .contains(".SS equipoise service\n")
                .doesNotContain(".SS equipoise night\n");
        TestingCommand.Ended refused = newRelease.run(home, environment, "test");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.output())
                .isEqualTo("equipoise: 'test' works in a checkout of Equipoise only\n");
    }

    /** The runtime of the archive has fewer modules than that of a build. */
    @Test
    void modelCommandsOfTheArchiveRun(@TempDir Path home) throws Exception {
        Files.writeString(home.resolve("rows.csv"), "8" + ",3".repeat(63) + "\n");

        TestingCommand.Ended predicted =
                newRelease.run(home, Map.of(), "predict", ModelCommandsIT.MODEL, "rows.csv");
        TestingCommand.Ended exported =
                newRelease.run(
                        home, Map.of(), "export", ModelCommandsIT.MODEL, "--onnx=model.onnx");

        assertThat(predicted.output()).contains("sample  label  predicted  probability\n");
        assertThat(exported.status()).as(exported.output()).isZero();
        assertThat(home.resolve("model.onnx")).isNotEmptyFile();
    }

    @Test
    void archiveStartsALabOfItsOwn(@TempDir Path data) throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "-u", "JAVA_HOME"));
        command.addAll(newRelease.command("up", "--data=" + data));

        try (StandingLab lab = StandingLab.start(command);
                ServiceApi own = lab.api()) {
            assertThat(own.get("workers?limit=10&state=IDLE").path("items")).hasSize(3);
        }
    }

    private static int rounds(JsonNode run) {
        return run.path("rounds").asInt();
    }

    /** Returns the rounds of the points of the loss curve of rank 0. */
    private List<Integer> steps(String run) {
        String curve =
                "runs/%s/curves?name=train/loss&rank=0&x=step&buckets=%d".formatted(run, BUCKETS);
        return api.get(curve)
                .at("/items/0/buckets")
                .valueStream()
                .map(it -> it.path("lastX").asInt())
                .toList();
    }

    /** Returns the steps between points of a curve, in rounds. */
    private static List<Integer> gaps(List<Integer> steps) {
        assertThat(steps).doesNotHaveDuplicates().isSorted();
        return IntStream.range(0, steps.size())
                .mapToObj(it -> steps.get(it) - (it == 0 ? 0 : steps.get(it - 1)))
                .toList();
    }

    /**
     * Returns the largest step between points, in rounds: the sampling stride of the agents, and
     * the downsampling of a long curve by the service.
     */
    private static int maxGap(JsonNode run) {
        int trained = run.path("epochs").size() * rounds(run);
        return LossPoints.maxStride(run) + trained / BUCKETS + 1;
    }

    @Test
    void drainedAgentOfARigidRunLeavesAfterTheRun() throws Exception {
        String run = submit("rigid", "replicas: 4");
        awaitEpoch(run, 2);

        Running old = drain("a");
        awaitEpoch(run, state(run).at("/progress/epoch").asInt() + 2);
        assertThat(old.process().isAlive()).as("must stay in a run that needs it").isTrue();
        assertThat(state(run).path("state").asString()).isEqualTo("RUNNING");
        assertThat(state(run).path("generation").asInt()).isEqualTo(1);
        cancel(run);

        replace("a", old);
    }
}
