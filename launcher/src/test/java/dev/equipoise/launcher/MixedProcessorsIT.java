package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Trains on agents of which one uses an older instruction set, as on a lab of mixed processors.
 * Whether replicas then differ depends on the machine: each test compares their checksums itself,
 * and requires the service to tell the same.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MixedProcessorsIT {

    /** oneDNN's oldest instruction set. */
    private static final String OLD = "SSE41";

    private static final int AGENTS = 3;
    private static final String PLAIN = "plain";
    private static final String ODD = "odd";

    private final Map<String, Process> agents = new LinkedHashMap<>();
    private final Map<String, Boolean> differences = new HashMap<>();
    private Path folder;
    private OwnService service;
    private ServiceApi api;
    private String project;
    private int started;

    @BeforeAll
    void start(@TempDir Path shared) throws IOException {
        folder = shared;
        service =
                OwnService.start(
                        folder,
                        Map.of(),
                        "--equipoise.data=" + folder.resolve("data"),
                        "--equipoise.schedule.preempt-after=1s",
                        "--equipoise.schedule.spare-for=0s");
        api = service.api();
        project = api.post("projects", Map.of("name", "mixed")).path("id").asString();
        startAgent(PLAIN);
        startAgent(PLAIN);
        startAgent(ODD);
        awaitAgents();
    }

    @AfterAll
    void stop() {
        agents.values().forEach(it -> it.destroyForcibly().onExit().join());
        if (service != null) {
            service.close();
        }
        if (api != null) {
            api.close();
        }
    }

    /** Starts an agent with a folder of its own, as on a machine of its own. */
    private void startAgent(String processor) throws IOException {
        String name = "%s-%d".formatted(processor, started++);
        Map<String, String> environment = new HashMap<>();
        environment.put("EQUIPOISE_JOIN_TOKEN", OwnService.JOINING);
        if (processor.equals(ODD)) {
            environment.put("ONEDNN_MAX_CPU_ISA", OLD);
        }
        agents.put(
                name,
                TestingCommand.startIn(
                        Files.createDirectories(folder.resolve(name)),
                        name,
                        List.of(),
                        environment,
                        "agent",
                        "--service=" + service.address(),
                        "--name=" + name,
                        "--label=processor=" + processor));
    }

    private void awaitAgents() {
        ChaosLab.await(() ->
                workers().stream()
                                        .filter(it -> it.path("state").asString().equals("IDLE"))
                                        .filter(it -> it.path("sees").size() >= AGENTS)
                                        .count()
                                == AGENTS
                        ? ""
                        : "the agents are not ready");
    }

    private List<JsonNode> workers() {
        return api.get("workers?limit=100").path("items").valueStream().toList();
    }

    /** Defines a run of a large network on few data: an evaluation takes 120 test samples. */
    private static String definition(String optimizer, int epochs, String lines) {
        return """
        apiVersion: equipoise/v1
        name: mixed
        dataset: { name: synthetic, shape: [28, 28, 1], classes: 10, samples: 600, seed: 1 }
        network: { preset: mnist-cnn }
        training: { epochs: %d, batchSize: 20, optimizer: { kind: %s, learningRate: 0.01 } }
        """
                        .formatted(epochs, optimizer)
                + lines;
    }

    /** Requires processors with another instruction set than the oldest one. */
    private void requireMixedProcessors() {
        Map<String, Set<String>> sets =
                workers().stream()
                        .filter(it -> it.path("state").asString().equals("IDLE"))
                        .collect(
                                Collectors.groupingBy(
                                        it -> it.at("/labels/processor").asString(),
                                        Collectors.mapping(
                                                it -> it.at("/host/instructionSet").asString(""),
                                                Collectors.toSet())));
        assumeTrue(
                !sets.getOrDefault(PLAIN, Set.of()).contains(OLD)
                        && !sets.getOrDefault(PLAIN, Set.of()).contains(""),
                "this processor has no newer instruction set than " + OLD);
        assertThat(sets.get(ODD)).containsExactly(OLD);
    }

    /** Whether one training step gives other weights with the old instruction set. */
    private boolean doStepsDiffer(String optimizer) {
        return differences.computeIfAbsent(
                optimizer,
                it -> {
                    String plain = submitStep(it, PLAIN);
                    String odd = submitStep(it, ODD);
                    return !weightsAfterStep(plain).equals(weightsAfterStep(odd));
                });
    }

    private String submitStep(String optimizer, String processor) {
        String lines =
                "workers: { replicas: 1, selector: { processor: %s } }\n".formatted(processor);
        return submit(definition(optimizer, 1, lines).replace("samples: 600", "samples: 20"));
    }

    private String weightsAfterStep(String run) {
        JsonNode ended = awaitCompletion(run);
        assertThat(ended.path("rounds").asInt()).isEqualTo(1);
        return ended.at("/epochs/0/ranks/0/parameters").asString();
    }

    private JsonNode run(String definition) {
        return awaitCompletion(submit(definition));
    }

    private String submit(String definition) {
        return ChaosLab.submit(api, project, definition);
    }

    private JsonNode state(String run) {
        return api.get("runs/" + run);
    }

    private JsonNode awaitCompletion(String run) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> ChaosLab.isOver(state(run)) ? "" : "it has not ended: " + state(run));
        JsonNode ended = state(run);
        assertThat(ended.path("state").asString()).as("%s", ended).isEqualTo("COMPLETED");
        assertThat(ended.path("setbacks").asInt()).as("%s", ended).isZero();
        return ended;
    }

    private void awaitEpoch(String run) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> state(run).path("epochs").isEmpty() ? "no epoch is over" : "");
    }

    /**
     * Asserts that the service tells a distance after each epoch whose checksums differ, and after
     * no other one.
     */
    private void assertTold(JsonNode run, int epochs, boolean stepsDiffer) {
        assertThat(run.path("epochs").size()).isEqualTo(epochs);
        boolean anyDiffer = false;
        for (JsonNode epoch : run.path("epochs")) {
            boolean differ = checksums(epoch).size() > 1;
            String setting =
                    "epoch %d: replicas %s; a single training step %s with %s"
                            .formatted(
                                    epoch.path("epoch").asInt(),
                                    differ ? "differ" : "are equal",
                                    stepsDiffer ? "differs" : "is the same",
                                    OLD);
            assertThat(hasDifferences(epoch)).as(setting).isEqualTo(differ);
            assertThat(epoch.at("/distance/absolute").asDouble() > 0).as(setting).isEqualTo(differ);
            anyDiffer |= differ;
        }
        assertThat(run.path("replicasIdentical").asBoolean()).isEqualTo(!anyDiffer);
        assertThat(log(run).contains("replicas differ after epoch")).isEqualTo(anyDiffer);
        if (!stepsDiffer) {
            assertThat(anyDiffer).as("equal steps keep replicas equal").isFalse();
        }
        System.out.printf(
                "mixed processors: replicas %s, a single step %s%n",
                anyDiffer ? "differ" : "are equal", stepsDiffer ? "differs" : "is the same");
    }

    private static Set<String> checksums(JsonNode epoch) {
        return epoch.path("ranks")
                .valueStream()
                .map(it -> it.path("parameters").asString())
                .collect(Collectors.toSet());
    }

    private static boolean hasDifferences(JsonNode epoch) {
        return epoch.path("ranks")
                .valueStream()
                .anyMatch(it -> it.at("/difference/absolute").asDouble() > 0);
    }

    private String log(JsonNode run) {
        return api.text("runs/%s/log".formatted(run.path("id").asString()));
    }

    private static String workerOf(JsonNode run, String processor) {
        return run.path("replicas")
                .valueStream()
                .map(it -> it.path("workerName").asString())
                .filter(it -> it.startsWith(processor))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sgd", "adam"})
    void distancesOfReplicasAreTold(String optimizer) {
        requireMixedProcessors();
        boolean stepsDiffer = doStepsDiffer(optimizer);

        JsonNode run = run(definition(optimizer, 3, "workers: { replicas: 3 }\n"));

        assertTold(run, 3, stepsDiffer);
        assertThat(run.path("replicas").valueStream())
                .anyMatch(it -> it.path("processor").asString().endsWith(OLD))
                .anyMatch(it -> !it.path("processor").asString().endsWith(OLD));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sgd", "adam"})
    void survivorsOfAKilledRankComplete(String optimizer) throws IOException {
        requireMixedProcessors();
        boolean stepsDiffer = doStepsDiffer(optimizer);
        String run = submit(definition(optimizer, 20, "workers: { replicas: 3, minimum: 2 }\n"));
        awaitEpoch(run);

        Process killed = Objects.requireNonNull(agents.remove(workerOf(state(run), PLAIN)));
        killed.destroyForcibly().onExit().join();
        JsonNode ended = awaitCompletion(run);
        startAgent(PLAIN);
        awaitAgents();

        assertThat(ended.path("generation").asInt()).isGreaterThan(1);
        assertTold(ended, 20, stepsDiffer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sgd", "adam"})
    void preemptedRunResumes(String optimizer) {
        requireMixedProcessors();
        boolean stepsDiffer = doStepsDiffer(optimizer);
        String workers = "workers: { replicas: 3 }\n";
        String preempted = submit(definition(optimizer, 30, workers + "preemption: allowed\n"));
        awaitEpoch(preempted);

        JsonNode urgent = run(definition(optimizer, 1, workers + "priority: 9\n"));
        JsonNode resumed = awaitCompletion(preempted);

        assertTold(urgent, 1, stepsDiffer);
        assertThat(resumed.path("preemptions").asInt()).isPositive();
        assertTold(resumed, 30, stepsDiffer);
        assertResumedWithTheFirst(resumed);
    }

    /** Requires the weights of rank 0 after each stop before which the replicas differed. */
    private void assertResumedWithTheFirst(JsonNode run) {
        List<JsonNode> epochs = run.path("epochs").valueStream().toList();
        boolean anyDiffered =
                IntStream.range(1, epochs.size())
                        .filter(i -> generation(epochs.get(i)) > generation(epochs.get(i - 1)))
                        .anyMatch(i -> checksums(epochs.get(i - 1)).size() > 1);
        if (anyDiffered) {
            assertThat(log(run)).contains("all ranks begin with the weights of rank 0");
        }
    }

    private static int generation(JsonNode epoch) {
        return epoch.at("/ranks/0/generation").asInt();
    }
}
