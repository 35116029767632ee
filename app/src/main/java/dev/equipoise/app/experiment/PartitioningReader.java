package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.performance.partition.BatchCounts;
import dev.equipoise.protocol.Partitioning;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the partitioning of a definition and reports everything that is wrong. */
final class PartitioningReader {

    /**
     * The mean number of mini-batches per replica and round for which batch counts are searched.
     */
    static final int COUNTS_A_REPLICA = 4;

    private static final List<String> KINDS =
            List.of("equal", "constant", "functional", "dynamic", "batch-counts", "hybrid");

    private static final String ROUNDING = "rounding";
    private static final String FLOOR = "floor";
    private static final List<String> COUNT_ROUNDINGS = List.of("most-efficient", FLOOR);

    private static final int MAX_COUNT = 1000;

    /** The maximum number of mini-batches of a round for which batch counts are searched. */
    private static final int MAX_BATCHES = 10_000;

    /** The allowed lengths of a list with a speed for each replica. */
    private static final List<Integer> SIZES =
            IntStream.rangeClosed(1, DefinitionLimits.MAX_REPLICAS).boxed().toList();

    private static final double MIN_SPEED = 1e-6;
    private static final double MAX_SPEED = 1e6;
    private static final double HYSTERESIS = 0.05;

    /** A gain of the longest time is below 1. */
    private static final double MAX_HYSTERESIS = 0.999999;

    private PartitioningReader() {}

    /** Rule by which batch counts follow from speeds. */
    private enum CountRounding {
        /** The most efficient counts within a limit. */
        MOST_EFFICIENT,
        /** The ratio to the slowest replica, rounded down (Moreno-Álvarez and others). */
        FLOOR
    }

    static Partitioning read(JsonFieldReader choice) {
        String kind = choice.kind("equal", KINDS);
        Partitioning partitioning =
                switch (kind) {
                    case "constant" -> new Partitioning.Constant(speeds(choice));
                    case "batch-counts" -> new Partitioning.BatchCounts(counts(choice));
                    case "functional" -> functional(choice);
                    case "hybrid" -> hybrid(choice);
                    case "dynamic" ->
                            new Partitioning.Dynamic(
                                    choice.number("hysteresis", HYSTERESIS, 0, MAX_HYSTERESIS));
                    default -> new Partitioning.Equal();
                };
        choice.end();
        return partitioning;
    }

    /** Returns the given batch counts, or the counts that follow from the given speeds. */
    private static List<Integer> counts(JsonFieldReader choice) {
        if (!choice.given("speeds")) {
            checkNoRounding(choice);
            return choice.integers("counts", DefinitionLimits.MAX_REPLICAS, 1, MAX_COUNT);
        }
        if (choice.given("counts")) {
            choice.reject(
                    "counts", "must not be given with speeds, from which the counts are computed");
        }
        List<Double> speeds = speeds(choice);
        return switch (choice.named(ROUNDING, CountRounding.MOST_EFFICIENT)) {
            case MOST_EFFICIENT -> mostEfficient(choice, speeds);
            case FLOOR -> floored(choice, speeds);
        };
    }

    private static void checkNoRounding(JsonFieldReader choice) {
        if (choice.given(ROUNDING)) {
            choice.named(ROUNDING, CountRounding.MOST_EFFICIENT);
            choice.reject(
                    ROUNDING, "must not be given with counts; speeds or counts: auto are rounded");
        }
    }

    private static List<Integer> mostEfficient(JsonFieldReader choice, List<Double> speeds) {
        int most =
                choice.integer(
                        "most", speeds.size() * COUNTS_A_REPLICA, speeds.size(), MAX_BATCHES);
        List<BatchCounts> choices = BatchCounts.choices(speeds, most);
        if (choices.isEmpty()) {
            choice.reject(
                    "speeds",
                    "must be less unequal: with %d mini-batches, the slowest replica gets none"
                            .formatted(most));
            return List.of(1);
        }
        return choices.getLast().counts();
    }

    private static List<Integer> floored(JsonFieldReader choice, List<Double> speeds) {
        if (choice.given("most")) {
            choice.reject(
                    "most", "must not be given with rounding floor, which has one result only");
        }
        List<Integer> counts = BatchCounts.floored(speeds).counts();
        if (Collections.max(counts) > MAX_COUNT) {
            choice.reject(
                    "speeds",
                    "must be less unequal: the fastest replica gets %d mini-batches a round, above the limit of %d"
                            .formatted(Collections.max(counts), MAX_COUNT));
        }
        return counts;
    }

    /**
     * Returns the batch counts for measured speeds.
     *
     * @param partitioning of a definition with the counts {@code auto}
     */
    static List<Integer> countsFor(JsonNode partitioning, List<Double> speeds) {
        boolean isFloored = partitioning.path(ROUNDING).asString("").equals(FLOOR);
        return isFloored
                ? BatchCounts.floored(speeds).counts()
                : BatchCounts.best(speeds, COUNTS_A_REPLICA * speeds.size()).counts();
    }

    /**
     * Writes counts into a definition with the counts {@code auto}, in place of the rule by which
     * they are computed. An invalid rule stays and is rejected with the definition.
     */
    static void setCounts(ObjectNode definition, JsonNode counts) {
        ParameterGrid.set(definition, Choice.COUNTS.path(), counts);
        if (definition.path("partitioning") instanceof ObjectNode partitioning
                && COUNT_ROUNDINGS.contains(partitioning.path(ROUNDING).asString(""))) {
            partitioning.remove(ROUNDING);
        }
    }

    private static List<Double> speeds(JsonFieldReader choice) {
        return choice.numbers("speeds", null, SIZES, MIN_SPEED, MAX_SPEED);
    }

    private static Partitioning functional(JsonFieldReader choice) {
        return new Partitioning.Functional(
                choice.named("model", Partitioning.Model.PIECEWISE),
                choice.named("solver", Partitioning.Solver.GEOMETRIC),
                choice.named("rounding", Partitioning.ShareRounding.LARGEST_REMAINDER),
                choice.named("points", Partitioning.Extent.FULL),
                choice.named("kernel", Partitioning.SpeedKernel.TRAINING_STEP));
    }

    private static Partitioning hybrid(JsonFieldReader choice) {
        return new Partitioning.Hybrid(
                choice.integerOr("auto", "nodeParallel", 1, DefinitionLimits.MAX_REPLICAS)
                        .orElse(null),
                choice.named("shares", Partitioning.HybridSolver.LINEAR_PROGRAM));
    }

    /**
     * Checks these lists first, since the number of rounds depends on the counts, and other rules
     * on the rounds.
     */
    static void checkPerReplica(RunConfiguration configuration, List<Violation> violations) {
        switch (configuration.partitioning()) {
            case Partitioning.BatchCounts(var counts) ->
                    checkPerReplica("counts", counts, configuration, violations);
            case Partitioning.Constant(var speeds) ->
                    checkPerReplica("speeds", speeds, configuration, violations);
            case Partitioning.Equal _,
                    Partitioning.Functional _,
                    Partitioning.Dynamic _,
                    Partitioning.Hybrid _ -> {}
        }
    }

    private static void checkPerReplica(
            String field,
            List<?> numbers,
            RunConfiguration configuration,
            List<Violation> violations) {
        int replicas = configuration.workers().replicas();
        if (numbers.size() != replicas) {
            violations.add(
                    new Violation(
                            "/partitioning/" + field,
                            "must be one for each of the %d replicas".formatted(replicas),
                            numbers.toString()));
        }
    }
}
