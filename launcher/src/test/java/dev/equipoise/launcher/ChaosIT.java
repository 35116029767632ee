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
 * Injects one fault into real processes at a random moment of a run. Every build kills an agent;
 * {@code ./equipoise chaos} tries all faults.
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

    /**
     * Longest time, in seconds, that a point of a rank may stay unreported: the rank gathers points
     * for 1 s, its agent for a third of 1 s, and a report is under way.
     */
    private static final double MAX_SECONDS_UNREPORTED = 2;

    /** Largest difference in accuracy between a run with and a run without a fault. */
    private static final double TOLERANCE = 0.03;

    /** The result of one fault. */
    private record Outcome(Cell cell, String resumed, int generations, double accuracy) {}

    private final Map<Method, Double> withoutFault = new EnumMap<>(Method.class);
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Random random = new Random(SEED);
    private ChaosLab lab;
    private String project;
    private int projects;

    /** Takes a new lab if the one of the last test could not be repaired. */
    @BeforeEach
    void join(ChaosLab shared) {
        lab = shared;
        String name = "chaos " + ++projects;
        project = lab.api().post("projects", Map.of("name", name)).path("id").asString();
    }

    @BeforeAll
    void printSeed() {
        System.out.println("chaos seed: " + SEED);
    }

    @AfterAll
    void print() {
        System.out.println(
                "| fault | method | agent | runs again | generations | accuracy | without fault |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
        for (Outcome it : outcomes) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %d | %s | %d | %.4f | %.4f |%n",
                    it.cell().fault(),
                    it.cell().method(),
                    it.cell().victim(),
                    it.resumed(),
                    it.generations(),
                    it.accuracy(),
                    withoutFault.get(it.cell().method()));
        }
    }

    /**
     * A combination to try.
     *
     * @param victim number of the agent that the fault strikes
     */
    record Cell(Fault fault, Method method, int victim) {

        private boolean isTried() {
            return ONLY.isEmpty()
                    ? ALL || isQuick()
                    : ONLY.contains(fault.name())
                            || ONLY.contains(fault.name() + ":" + method.name());
        }

        private boolean isQuick() {
            return victim == 0
                    && fault == Fault.AGENT_KILLED
                    && (method == Method.BSP || method == Method.GOSSIP);
        }

        @Override
        public String toString() {
            return "%s; %s; agent %d".formatted(fault, method, victim);
        }
    }

    /** Tries every agent for faults that remove one, because each has another role in the run. */
    static Stream<Cell> cells() {
        return Stream.of(Method.values())
                .flatMap(method -> Stream.of(Fault.values()).flatMap(it -> cells(it, method)))
                .filter(Cell::isTried);
    }

    private static Stream<Cell> cells(Fault fault, Method method) {
        return IntStream.range(0, fault.removesAnAgent() ? ChaosLab.AGENTS : 1)
                .mapToObj(victim -> new Cell(fault, method, victim));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void runReachesItsAccuracyInSpiteOfTheFault(Cell cell) throws Exception {
        Fault fault = cell.fault();
        Method method = cell.method();
        assumeTrue(
                !fault.needsNetworks() || lab.hasNetworks(),
                "this machine does not let tests create networks");
        double expected = withoutFault.computeIfAbsent(method, this::accuracyWithoutFault);
        String run = submit(method);
        awaitStep(run, random.nextInt(2 * stepsOfAnEpoch(run)));
        int generation = state(run).path("generation").asInt();
        long struckAt = System.nanoTime();

        CompletableFuture<Void> struck = CompletableFuture.runAsync(() -> strike(cell));
        String resumed = awaitTraining(run, method, generation, struckAt);
        struck.join();
        JsonNode ended = awaitEnd(run);

        outcomes.add(
                new Outcome(
                        cell,
                        resumed,
                        ended.path("generation").asInt(),
                        ended.path("testAccuracy").asDouble()));
        assertComplete(ended, cell);
        assertThat(ended.path("testAccuracy").asDouble()).isCloseTo(expected, within(TOLERANCE));
    }

    private void strike(Cell cell) {
        try {
            cell.fault().strike(lab, cell.victim());
        } catch (Exception failure) {
            throw new CompletionException(failure);
        }
    }

    /**
     * Returns the accuracy of a run without a fault. It leaves a checkpoint after each epoch, so a
     * run with a fault can resume from one.
     */
    private double accuracyWithoutFault(Method method) {
        JsonNode run = awaitEnd(submit(method));
        assertThat(log(run))
                .contains(
                        IntStream.range(1, EPOCHS)
                                .mapToObj("has the checkpoint after epoch %d"::formatted)
                                .toList());
        return run.path("testAccuracy").asDouble();
    }

    private String log(JsonNode run) {
        return lab.api().text("runs/%s/log".formatted(run.path("id").asString()));
    }

    private String submit(Method method) {
        return lab.submit(project, method.definition("chaos", 9000, "mnist-cnn", EPOCHS));
    }

    private JsonNode state(String run) {
        return lab.api().get("runs/" + run);
    }

    private int stepsOfAnEpoch(String run) {
        ChaosLab.await(() ->
                state(run).path("state").asString().equals("RUNNING")
                        ? ""
                        : "it is not running: " + state(run));
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

    /** Returns the seconds from the fault to training again, or that the run never stopped. */
    private String awaitTraining(String run, Method method, int before, long struckAt) {
        JsonNode[] seen = new JsonNode[1];
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> {
                    seen[0] = state(run);
                    boolean isAgain =
                            seen[0].path("generation").asInt() > before
                                    && seen[0].path("state").asString().equals("RUNNING");
                    return isAgain || ChaosLab.isOver(seen[0]) ? "" : "not resumed: " + seen[0];
                });
        if (ChaosLab.isOver(seen[0]) && seen[0].path("generation").asInt() == before) {
            return "it never stopped";
        }
        String after = "%.1f s".formatted((System.nanoTime() - struckAt) / 1e9);
        return seen[0].path("setbacks").asInt() == 0 && method.continuesWithoutPause()
                ? "it continued, with new shares after " + after
                : after;
    }

    private JsonNode awaitEnd(String run) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> ChaosLab.isOver(state(run)) ? "" : "it has not ended: " + state(run));
        return state(run);
    }

    /**
     * Asserts that each epoch is reported once, replicas agree, and the curve has no gap or repeat.
     */
    private void assertComplete(JsonNode run, Cell cell) {
        Method method = cell.method();
        assertThat(run.path("state").asString()).as("%s", run).isEqualTo("COMPLETED");
        assertThat(run.path("epochs").valueStream().map(it -> it.path("epoch").asInt()))
                .isEqualTo(IntStream.rangeClosed(1, EPOCHS).boxed().toList());
        if (method == Method.BSP || method == Method.RIGID) {
            assertThat(run.path("replicasIdentical").asBoolean()).isTrue();
        }
        if (cell.fault() == Fault.DISK_FULL) {
            assertThat(log(run)).contains("could not store its part of the checkpoint");
        }
        assertCurve(run, cell);
    }

    /**
     * Asserts that the loss curve of the first replica has each round at most once. Fast agents
     * report every second, fourth, ... round. Points that a lost rank had not reported are missing,
     * and so are the points up to the end of an epoch that the other ranks finished without it: one
     * gap for each loss of ranks.
     */
    private void assertCurve(JsonNode run, Cell cell) {
        int rounds = run.path("rounds").asInt();
        List<Integer> steps =
                lab.api()
                        .get(
                                "runs/%s/curves?name=train/loss&rank=%d&x=step&buckets=2000"
                                        .formatted(
                                                run.path("id").asString(), cell.method().servers()))
                        .path("items")
                        .path(0)
                        .path("buckets")
                        .valueStream()
                        .map(it -> it.path("lastX").asInt())
                        .toList();
        assertThat(steps).doesNotHaveDuplicates().isSorted();
        List<Integer> gaps = gaps(steps, EPOCHS * rounds);
        int maxStride = LossPoints.maxStride(run);
        assertThat(gaps.stream().filter(it -> it > maxStride))
                .as("gaps between the points %s", steps)
                .hasSizeLessThan(run.path("generation").asInt())
                .allMatch(it -> it <= maxStride + maxUnreportedRounds(run, cell.method()));
    }

    /**
     * Returns the largest gap in rounds: the rounds that the fastest epoch takes in {@link
     * #MAX_SECONDS_UNREPORTED}, or an epoch. How soon a report comes depends on the machine, so the
     * gate always allows an epoch.
     */
    private static int maxUnreportedRounds(JsonNode run, Method method) {
        int rounds = run.path("rounds").asInt();
        double fastest =
                run.path("epochs")
                        .valueStream()
                        .mapToDouble(it -> it.path("epochSeconds").asDouble())
                        .min()
                        .orElseThrow();
        int unreported = (int) Math.ceil(rounds * MAX_SECONDS_UNREPORTED / fastest);
        return method.continuesWithoutPause() || !ALL ? Math.max(rounds, unreported) : unreported;
    }

    private static List<Integer> gaps(List<Integer> steps, int last) {
        return IntStream.rangeClosed(0, steps.size())
                .map(it ->
                        (it < steps.size() ? steps.get(it) : last)
                                - (it == 0 ? 0 : steps.get(it - 1)))
                .boxed()
                .toList();
    }
}
