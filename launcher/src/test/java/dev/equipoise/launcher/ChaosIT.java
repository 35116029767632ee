package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.testing.Patience;
import dev.equipoise.testing.Seeds;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Real processes, of which one breaks at a random moment of a run. A killed agent is tried in every
 * build, all faults by {@code ./equipoise chaos}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(SharedLabs.class)
class ChaosIT {

    private static final boolean ALL = Boolean.getBoolean("equipoise.chaos.all");
    private static final Set<String> ONLY =
            Stream.of(System.getProperty("equipoise.chaos.only", "").split(","))
                    .filter(it -> !it.isEmpty())
                    .collect(Collectors.toSet());
    private static final long SEED = Long.getLong("equipoise.chaos.seed", Seeds.seed());
    private static final int EPOCHS = 6;

    /** How far a run that was disturbed may be from one that was not. */
    private static final double TOLERANCE = 0.03;

    enum Method {
        BSP("bsp", "", ", minimum: 2"),
        LOCAL_SGD("local-sgd", "synchronization: {kind: local-sgd, period: 4}", ", minimum: 2"),
        RIGID("bsp that waits for all its ranks", "", ""),
        GOSSIP(
                "gossip",
                """
                synchronization: {kind: local-sgd, period: 1}
                topology: {kind: gossip, schedule: dissemination, payload: weights}
                """,
                ""),
        SERVED(
                "async over a parameter server",
                """
                synchronization: {kind: async, correction: inverse}
                topology: parameter-server
                """,
                "");

        private final String words;
        private final String lines;
        private final String minimum;

        Method(String words, String lines, String minimum) {
            this.words = words;
            this.lines = lines;
            this.minimum = minimum;
        }

        private String definition() {
            return """
            apiVersion: equipoise/v1
            name: chaos
            dataset: { name: mnist, limit: 9000 }
            network: { preset: mnist-cnn }
            training: { epochs: %d, batchSize: 32 }
            workers: { replicas: 3%s }
            restarts: 20
            """
                            .formatted(EPOCHS, minimum)
                    + lines;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** What came of a fault. */
    private record Outcome(Cell cell, String resumed, int generations, double accuracy) {}

    private final Map<Method, Double> undisturbed = new EnumMap<>(Method.class);
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Random random = new Random(SEED);
    private ChaosLab lab;
    private String project;

    /** Another lab where the one of the last test could not be mended. */
    @BeforeEach
    void join(ChaosLab shared) {
        lab = shared;
        project = lab.api().post("projects", Map.of("name", "chaos")).path("id").asString();
    }

    @BeforeAll
    void printSeed() {
        System.out.println("chaos of seed " + SEED);
    }

    @AfterAll
    void print() {
        System.out.println(
                "| fault | method | runs again | generations | accuracy | undisturbed |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        for (Outcome it : outcomes) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %d | %.4f | %.4f |%n",
                    it.cell().fault(),
                    it.cell().method(),
                    it.resumed(),
                    it.generations(),
                    it.accuracy(),
                    undisturbed.get(it.cell().method()));
        }
    }

    /** What is tried. */
    record Cell(Fault fault, Method method) {

        private boolean isTried() {
            return ONLY.isEmpty()
                    ? ALL || isQuick()
                    : ONLY.contains(fault.name())
                            || ONLY.contains(fault.name() + ":" + method.name());
        }

        private boolean isQuick() {
            return method == Method.BSP && fault == Fault.AGENT_KILLED;
        }

        @Override
        public String toString() {
            return "%s; %s".formatted(fault, method);
        }
    }

    static Stream<Cell> cells() {
        return Stream.of(Method.values())
                .flatMap(method -> Stream.of(Fault.values()).map(it -> new Cell(it, method)))
                .filter(Cell::isTried);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void whateverBreaksTheRunEndsAsAccurate(Cell cell) throws Exception {
        Fault fault = cell.fault();
        Method method = cell.method();
        assumeTrue(
                !fault.needsNetworks() || lab.hasNetworks(),
                "this machine lets no test make networks");
        double expected = undisturbed.computeIfAbsent(method, this::accuracyOfAnUndisturbed);
        String run = submit(method);
        awaitStep(run, random.nextInt(2 * stepsOfAnEpoch(run)));
        int generation = state(run).path("generation").asInt();
        long struckAt = System.nanoTime();

        CompletableFuture<Void> struck = CompletableFuture.runAsync(() -> strike(fault));
        String resumed = untilItRunsAgain(run, generation, struckAt);
        struck.join();
        JsonNode ended = awaitEnd(run);

        outcomes.add(
                new Outcome(
                        cell,
                        resumed,
                        ended.path("generation").asInt(),
                        ended.path("testAccuracy").asDouble()));
        assertWhole(ended, method);
        assertThat(ended.path("testAccuracy").asDouble()).isCloseTo(expected, within(TOLERANCE));
    }

    private void strike(Fault fault) {
        try {
            fault.strike(lab, random.nextInt(ChaosLab.AGENTS));
        } catch (Exception failure) {
            throw new CompletionException(failure);
        }
    }

    private double accuracyOfAnUndisturbed(Method method) {
        return awaitEnd(submit(method)).path("testAccuracy").asDouble();
    }

    private String submit(Method method) {
        return lab.submit(project, method.definition());
    }

    private JsonNode state(String run) {
        return lab.api().get("runs/" + run);
    }

    private int stepsOfAnEpoch(String run) {
        ChaosLab.await(() ->
                state(run).path("state").asString().equals("RUNNING")
                        ? ""
                        : "it does not run: " + state(run));
        return state(run).path("rounds").asInt();
    }

    private void awaitStep(String run, int step) {
        ChaosLab.await(() -> {
            JsonNode now = state(run);
            JsonNode progress = now.path("progress");
            int done =
                    Math.max(0, progress.path("epoch").asInt() - 1) * now.path("rounds").asInt()
                            + progress.path("round").asInt();
            return done >= step ? "" : "%d of %d steps".formatted(done, step);
        });
    }

    /** In seconds since it was struck; or that it never stopped. */
    private String untilItRunsAgain(String run, int before, long struckAt) {
        JsonNode[] seen = new JsonNode[1];
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> {
                    seen[0] = state(run);
                    boolean isAgain =
                            seen[0].path("generation").asInt() > before
                                    && seen[0].path("state").asString().equals("RUNNING");
                    return isAgain || ChaosLab.isOver(seen[0]) ? "" : "it runs no more: " + seen[0];
                });
        return ChaosLab.isOver(seen[0]) && seen[0].path("generation").asInt() == before
                ? "it never stopped"
                : "%.1f s".formatted((System.nanoTime() - struckAt) / 1e9);
    }

    private JsonNode awaitEnd(String run) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> ChaosLab.isOver(state(run)) ? "" : "it is not over: " + state(run));
        return state(run);
    }

    /** All epochs once, replicas that agree, and the loss of every round at most once. */
    private void assertWhole(JsonNode run, Method method) {
        assertThat(run.path("state").asString()).as("%s", run).isEqualTo("COMPLETED");
        assertThat(run.path("epochs").valueStream().map(it -> it.path("epoch").asInt()))
                .isEqualTo(IntStream.rangeClosed(1, EPOCHS).boxed().toList());
        if (method == Method.BSP || method == Method.RIGID) {
            assertThat(run.path("replicasIdentical").asBoolean()).isTrue();
        }
        List<Integer> points =
                lab.api()
                        .get("runs/%s/metrics".formatted(run.path("id").asString()))
                        .path("items")
                        .valueStream()
                        .filter(it -> it.path("name").asString().equals("train/loss"))
                        .filter(it -> it.path("rank").asInt() == 0)
                        .map(it -> it.path("points").asInt())
                        .toList();
        assertThat(points).as("curves of rank 0").hasSizeLessThan(2);
        assertThat(points)
                .allSatisfy(it ->
                        assertThat(it).isLessThanOrEqualTo(EPOCHS * run.path("rounds").asInt()));
    }
}
