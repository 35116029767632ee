package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.testing.Patience;
import dev.equipoise.testing.Seeds;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
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
 * {@code ./equipoise chaos} tries all faults with all methods, and prints the outcomes as tables.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(SharedLabs.class)
class ChaosIT {

    /** Whether {@code ./equipoise chaos} runs the test, which then bounds times too. */
    private static final boolean ALL = Boolean.getBoolean("equipoise.chaos.all");

    private static final Set<String> ONLY =
            Stream.of(System.getProperty("equipoise.chaos.only", "").split(","))
                    .filter(it -> !it.isEmpty())
                    .collect(Collectors.toSet());

    /** Page whose marked part the tables replace; empty for none. */
    private static final String OUTPUT = System.getProperty("equipoise.chaos.output", "");

    /** File for the generations of runs whose weights follow from them; empty for none. */
    private static final String GENERATIONS = System.getProperty("equipoise.chaos.generations", "");

    private static final long SEED = Long.getLong("equipoise.chaos.seed", Seeds.seed());
    private static final int EPOCHS = 6;
    private static final int SAMPLES = 9000;
    private static final String NETWORK = "mnist-cnn";
    private static final int MAX_PAGE = 500;

    /**
     * Longest time, in seconds, that a point of a rank may stay unreported: the rank gathers points
     * for 1 s, its agent for a third of 1 s, and a report is under way.
     */
    private static final double MAX_SECONDS_UNREPORTED = 2.5;

    /** Largest difference in accuracy between a run with and a run without a fault. */
    private static final double TOLERANCE = 0.03;

    /** Runs without a fault. Static, because failed cells are repeated on another instance. */
    private static final Map<Method, JsonNode> withoutFault = new EnumMap<>(Method.class);

    private static final Map<ChaosCell, ChaosOutcome> outcomes = new LinkedHashMap<>();
    private static final Map<String, GenerationRecord> records = new LinkedHashMap<>();

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
    void begin() {
        MarkedFile.check(OUTPUT.isEmpty() ? null : Path.of(OUTPUT), MarkedFile.FAULTS);
        System.out.println("chaos seed: " + SEED);
    }

    @AfterAll
    void print() {
        if (outcomes.isEmpty()) {
            return;
        }
        if (!GENERATIONS.isEmpty() && !records.isEmpty()) {
            new OutputFile(Path.of(GENERATIONS)).writeJson(List.copyOf(records.values()));
        }
        Map<Method, Double> accuracies = new EnumMap<>(Method.class);
        withoutFault.forEach((method, run) -> accuracies.put(method, accuracy(run)));
        String tables = setting() + "\n" + ChaosTable.of(outcomes.values(), accuracies);
        System.out.printf("%n%s%n", tables);
        if (!OUTPUT.isEmpty()) {
            // Hours have passed since the check, and the page may have changed.
            MarkedFile.of(Path.of(OUTPUT), MarkedFile.FAULTS).write("\n" + tables + "\n");
        }
    }

    private static String setting() {
        return """
        Measured on %s by `./equipoise chaos` on one host with %d processors: a service, three agents, MNIST (%d samples), `%s`, %d epochs. A dash marks a cell that was not tried, or whose run did not end.
        """
                .formatted(
                        LocalDate.now(ZoneOffset.UTC),
                        Runtime.getRuntime().availableProcessors(),
                        SAMPLES,
                        NETWORK,
                        EPOCHS);
    }

    /** Strikes every rank with faults that remove one, because each has another role in the run. */
    static Stream<ChaosCell> cells() {
        return Stream.of(Method.values())
                .flatMap(method -> Stream.of(Fault.values()).flatMap(it -> cells(it, method)))
                .filter(ChaosIT::isTried);
    }

    private static Stream<ChaosCell> cells(Fault fault, Method method) {
        return IntStream.range(0, fault.removesAnAgent() ? method.ranks() : 1)
                .mapToObj(rank -> new ChaosCell(fault, method, rank));
    }

    private static boolean isTried(ChaosCell cell) {
        String fault = cell.fault().name();
        return ONLY.isEmpty()
                ? ALL || isQuick(cell)
                : ONLY.contains(fault) || ONLY.contains(fault + ":" + cell.method().name());
    }

    private static boolean isQuick(ChaosCell cell) {
        return cell.rank() == 0
                && cell.fault() == Fault.AGENT_KILLED
                && (cell.method() == Method.BSP || cell.method() == Method.GOSSIP);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void runReachesItsAccuracyInSpiteOfTheFault(ChaosCell cell) throws Exception {
        assumeTrue(
                !cell.fault().needsNetworks() || lab.hasNetworks(),
                "this machine does not let tests create networks");
        JsonNode expected = withoutFault.computeIfAbsent(cell.method(), this::runWithoutFault);
        String run = submit(cell.method());
        awaitStep(run, random.nextInt(2 * stepsOfAnEpoch(run)));
        JsonNode before = state(run);
        int victim = lab.numberOf(worker(before, cell.rank()));
        long losses = lab.losses();
        long struckAt = System.nanoTime();

        CompletableFuture<Void> struck =
                CompletableFuture.runAsync(() -> strike(cell.fault(), victim));
        Resumption resumption = awaitTraining(before, cell.method(), struckAt);
        struck.join();
        JsonNode ended = awaitEnd(run);

        List<JsonNode> events = events(run);
        var outcome =
                new ChaosOutcome(
                        cell,
                        resumption,
                        ended.path("generation").asInt(),
                        accuracy(ended),
                        points(ended, events, cell.method()));
        outcomes.put(cell, outcome);
        assertComplete(ended, cell);
        if (cell.method().suspends() && outcome.generations() > 1) {
            keepGenerations(cell.toString(), ended, events);
        }
        assertPoints(ended, outcome);
        assertThat(outcome.accuracy()).isCloseTo(accuracy(expected), within(TOLERANCE));
        if (cell.method().isRigid()) {
            assertThat(weights(ended)).isEqualTo(weights(expected));
        }
        assertResumption(outcome);
        if (cell.fault().sparesAgents()) {
            assertThat(lab.losses()).as("lost workers").isEqualTo(losses);
        }
    }

    private static double accuracy(JsonNode run) {
        return run.path("testAccuracy").asDouble();
    }

    /** Returns the checksums of the final weights of all ranks. */
    private static List<String> weights(JsonNode run) {
        return run.path("epochs")
                .path(EPOCHS - 1)
                .path("ranks")
                .valueStream()
                .map(it -> it.path("parameters").asString())
                .toList();
    }

    private static String worker(JsonNode run, int rank) {
        return run.path("replicas")
                .valueStream()
                .filter(it -> it.path("rank").asInt() == rank)
                .map(it -> it.path("workerName").asString())
                .findFirst()
                .orElseThrow();
    }

    private void strike(Fault fault, int victim) {
        try {
            fault.strike(lab, victim);
        } catch (Exception failure) {
            throw new CompletionException(failure);
        }
    }

    /**
     * Returns a run without a fault. It leaves a checkpoint after each epoch, so a run with a fault
     * can resume from one.
     */
    private JsonNode runWithoutFault(Method method) {
        JsonNode run = awaitEnd(submit(method));
        assertThat(log(run))
                .contains(
                        IntStream.range(1, EPOCHS)
                                .mapToObj("has the checkpoint after epoch %d"::formatted)
                                .toList());
        List<JsonNode> events = events(id(run));
        assertThat(points(run, events, method)).isEqualTo(new PointCount(0, 0, List.of()));
        if (method.suspends()) {
            keepGenerations("no fault; " + method, run, events);
        }
        return run;
    }

    private static void keepGenerations(String name, JsonNode run, List<JsonNode> events) {
        int rounds = run.path("rounds").asInt();
        GenerationRecord.generations(events)
                .map(it ->
                        new GenerationRecord(
                                name, run.path("configuration"), rounds, it, weights(run)))
                .ifPresentOrElse(
                        it -> records.put(name, it),
                        () ->
                                System.out.printf(
                                        "generations not recorded, because ranks report every"
                                                + " second round or less: %s%n",
                                        name));
    }

    private String log(JsonNode run) {
        return lab.api().text("runs/%s/log".formatted(id(run)));
    }

    private static String id(JsonNode run) {
        return run.path("id").asString();
    }

    private String submit(Method method) {
        return lab.submit(project, method.definition("chaos", SAMPLES, NETWORK, EPOCHS));
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

    /**
     * Waits until a run trains again or has ended.
     *
     * @param before the run when the fault struck
     */
    private Resumption awaitTraining(JsonNode before, Method method, long struckAt) {
        int generation = before.path("generation").asInt();
        JsonNode[] seen = new JsonNode[1];
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> {
                    seen[0] = state(id(before));
                    boolean isAgain =
                            seen[0].path("generation").asInt() > generation
                                    && seen[0].path("state").asString().equals("RUNNING");
                    return isAgain || ChaosLab.isOver(seen[0]) ? "" : "not resumed: " + seen[0];
                });
        double seconds = (System.nanoTime() - struckAt) / 1e9;
        if (seen[0].path("generation").asInt() == generation) {
            return new Resumption.Undisturbed();
        }
        return seen[0].path("setbacks").asInt() == 0 && method.continuesWithoutPause()
                ? new Resumption.TrainedOn(seconds)
                : new Resumption.Resumed(seconds);
    }

    private JsonNode awaitEnd(String run) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> ChaosLab.isOver(state(run)) ? "" : "it has not ended: " + state(run));
        return state(run);
    }

    private PointCount points(JsonNode run, List<JsonNode> events, Method method) {
        return PointCount.of(
                events,
                lab.api().get("runs/%s/metrics".formatted(id(run))),
                run.path("rounds").asInt(),
                EPOCHS,
                method.servers());
    }

    /** Reads all events of an ended run. */
    private List<JsonNode> events(String run) {
        List<JsonNode> events = new ArrayList<>();
        JsonNode page;
        long after = 0;
        do {
            page =
                    lab.api()
                            .get(
                                    "runs/%s/events?after=%d&limit=%d"
                                            .formatted(run, after, MAX_PAGE));
            assertThat(page.path("forgottenTo").asLong()).as("forgotten events").isZero();
            page.path("items").valueStream().map(it -> it.path("event")).forEach(events::add);
            after = page.path("after").asLong();
        } while (page.path("items").size() == MAX_PAGE);
        return events;
    }

    /** Asserts that each epoch is reported once, and that replicas agree. */
    private void assertComplete(JsonNode run, ChaosCell cell) {
        assertThat(run.path("state").asString()).as("%s", run).isEqualTo("COMPLETED");
        assertThat(run.path("epochs").valueStream().map(it -> it.path("epoch").asInt()))
                .isEqualTo(IntStream.rangeClosed(1, EPOCHS).boxed().toList());
        if (cell.method().hasEqualReplicas()) {
            assertThat(run.path("replicasIdentical").asBoolean()).isTrue();
        }
        if (cell.fault() == Fault.DISK_FULL) {
            assertThat(log(run)).contains("could not store its part of the checkpoint");
        }
    }

    /**
     * Asserts that the loss curves have each round once, except those that a lost rank had not
     * reported, and those up to the end of an epoch that the other ranks finished without it.
     */
    private static void assertPoints(JsonNode run, ChaosOutcome outcome) {
        PointCount points = outcome.points();
        long most = maxUnreportedRounds(run, outcome.cell().method());
        assertThat(points.lost()).as("lost points").isZero();
        assertThat(points.doubled()).as("doubled points").isZero();
        assertThat(points.unreported())
                .hasSizeLessThan(outcome.generations())
                .allMatch(it -> it <= most);
    }

    /**
     * Returns the most rounds that a lost rank may leave unreported: the rounds that the fastest
     * epoch takes in {@link #MAX_SECONDS_UNREPORTED}, and those of an epoch that the other ranks
     * finish without it. How soon a report comes depends on the machine, so the gate always allows
     * an epoch.
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
        return method.continuesWithoutPause() || !ALL ? rounds + unreported : unreported;
    }

    /** Asserts that the run stopped only if it had to, and soon trained again. */
    private static void assertResumption(ChaosOutcome outcome) {
        Fault fault = outcome.cell().fault();
        if (fault.sparesAgents()) {
            assertThat(outcome.resumption()).isInstanceOf(Resumption.Undisturbed.class);
        }
        if (fault.removesAnAgent()) {
            assertThat(outcome.resumption()).isNotInstanceOf(Resumption.Undisturbed.class);
        }
        if (ALL && outcome.resumption() instanceof Resumption.Resumed(double seconds)) {
            assertThat(seconds).as("seconds to resume").isLessThan(fault.maxSecondsToResume());
        }
    }
}
