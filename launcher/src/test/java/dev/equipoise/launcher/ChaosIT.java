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

    /**
     * What a rank has not told yet, at most: it gathers for a second, and its agent for a third of
     * one, and a report is on its way.
     */
    private static final double MOST_SECONDS_UNTOLD = 2;

    /** How far a run that was disturbed may be from one that was not. */
    private static final double TOLERANCE = 0.03;

    /** What came of a fault. */
    private record Outcome(Cell cell, String resumed, int generations, double accuracy) {}

    private final Map<Method, Double> undisturbed = new EnumMap<>(Method.class);
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Random random = new Random(SEED);
    private ChaosLab lab;
    private String project;
    private int projects;

    /** Another lab where the one of the last test could not be mended. */
    @BeforeEach
    void join(ChaosLab shared) {
        lab = shared;
        String name = "chaos " + ++projects;
        project = lab.api().post("projects", Map.of("name", name)).path("id").asString();
    }

    @BeforeAll
    void printSeed() {
        System.out.println("chaos of seed " + SEED);
    }

    @AfterAll
    void print() {
        System.out.println(
                "| fault | method | agent | runs again | generations | accuracy | undisturbed |");
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
                    undisturbed.get(it.cell().method()));
        }
    }

    /**
     * What is tried.
     *
     * @param victim of the agents
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

    /** Each agent in turn of what hits one, where what it is in a run matters. */
    static Stream<Cell> cells() {
        return Stream.of(Method.values())
                .flatMap(method -> Stream.of(Fault.values()).flatMap(it -> cells(it, method)))
                .filter(Cell::isTried);
    }

    private static Stream<Cell> cells(Fault fault, Method method) {
        return IntStream.range(0, fault.losesAnAgent() ? ChaosLab.AGENTS : 1)
                .mapToObj(victim -> new Cell(fault, method, victim));
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

        CompletableFuture<Void> struck = CompletableFuture.runAsync(() -> strike(cell));
        String resumed = untilItRunsAgain(run, method, generation, struckAt);
        struck.join();
        JsonNode ended = awaitEnd(run);

        outcomes.add(
                new Outcome(
                        cell,
                        resumed,
                        ended.path("generation").asInt(),
                        ended.path("testAccuracy").asDouble()));
        assertWhole(ended, cell);
        assertThat(ended.path("testAccuracy").asDouble()).isCloseTo(expected, within(TOLERANCE));
    }

    private void strike(Cell cell) {
        try {
            cell.fault().strike(lab, cell.victim());
        } catch (Exception failure) {
            throw new CompletionException(failure);
        }
    }

    /** It has left all its checkpoints, so that those that are disturbed can go on from some. */
    private double accuracyOfAnUndisturbed(Method method) {
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
    private String untilItRunsAgain(String run, Method method, int before, long struckAt) {
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
        if (ChaosLab.isOver(seen[0]) && seen[0].path("generation").asInt() == before) {
            return "it never stopped";
        }
        String after = "%.1f s".formatted((System.nanoTime() - struckAt) / 1e9);
        return seen[0].path("setbacks").asInt() == 0 && method.carriesOn()
                ? "it carried on, with new shares after " + after
                : after;
    }

    private JsonNode awaitEnd(String run) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> ChaosLab.isOver(state(run)) ? "" : "it is not over: " + state(run));
        return state(run);
    }

    /** All epochs once, replicas that agree, and a curve without gap or repeat. */
    private void assertWhole(JsonNode run, Cell cell) {
        Method method = cell.method();
        assertThat(run.path("state").asString()).as("%s", run).isEqualTo("COMPLETED");
        assertThat(run.path("epochs").valueStream().map(it -> it.path("epoch").asInt()))
                .isEqualTo(IntStream.rangeClosed(1, EPOCHS).boxed().toList());
        if (method == Method.BSP || method == Method.RIGID) {
            assertThat(run.path("replicasIdentical").asBoolean()).isTrue();
        }
        if (cell.fault() == Fault.DISK_FULL) {
            assertThat(log(run)).contains("was not taken");
        }
        assertCurve(run, cell);
    }

    /**
     * The loss of the first rank that trains, round by round, each once. Agents that are quick tell
     * every other one, or every fourth, ...; what a rank that was lost had not told yet nobody
     * knows, nor what it would have learnt to the end of an epoch that the others have ended
     * without it: one gap for each time that ranks were lost.
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
        int thinned = LossPoints.mostRoundsBetween(run);
        assertThat(gaps.stream().filter(it -> it > thinned))
                .as("where losses are missing, in %s", steps)
                .hasSizeLessThan(run.path("generation").asInt())
                .allMatch(it -> it <= thinned + mostUntold(run, cell.method()));
    }

    /**
     * In rounds: what the quickest epoch did in so long, or an epoch. How soon a report comes
     * depends on the machine, so the gate allows an epoch always.
     */
    private static int mostUntold(JsonNode run, Method method) {
        int rounds = run.path("rounds").asInt();
        double quickest =
                run.path("epochs")
                        .valueStream()
                        .mapToDouble(it -> it.path("epochSeconds").asDouble())
                        .min()
                        .orElseThrow();
        int untold = (int) Math.ceil(rounds * MOST_SECONDS_UNTOLD / quickest);
        return method.carriesOn() || !ALL ? Math.max(rounds, untold) : untold;
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
