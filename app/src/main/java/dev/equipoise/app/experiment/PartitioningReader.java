package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.performance.partition.BatchCounts;
import dev.equipoise.protocol.Partitioning;
import java.util.List;
import java.util.stream.IntStream;

/** Reads the partitioning of a definition and reports everything that is wrong. */
final class PartitioningReader {

    /**
     * The mean number of mini-batches per replica and round for which batch counts are searched.
     */
    static final int COUNTS_A_REPLICA = 4;

    private static final List<String> KINDS =
            List.of("equal", "constant", "functional", "dynamic", "batch-counts", "hybrid");

    private static final int MAX_COUNT = 1000;

    /** The maximum number of mini-batches of a round for which batch counts are searched. */
    private static final int MAX_BATCHES = 10_000;

    /** The allowed lengths of a list with a speed for each replica. */
    private static final List<Integer> SIZES =
            IntStream.rangeClosed(1, DefinitionLimits.MAX_REPLICAS).boxed().toList();

    private static final double MIN_SPEED = 1e-6;
    private static final double MAX_SPEED = 1e6;
    private static final double HYSTERESIS = 0.05;

    private PartitioningReader() {}

    static Partitioning read(JsonFieldReader choice) {
        String kind = choice.kind("equal", KINDS);
        Partitioning partitioning =
                switch (kind) {
                    case "constant" -> new Partitioning.Constant(speeds(choice));
                    case "batch-counts" -> new Partitioning.BatchCounts(counts(choice));
                    case "functional" -> functional(choice);
                    case "hybrid" -> hybrid(choice);
                    case "dynamic" ->
                            new Partitioning.Dynamic(choice.number("hysteresis", HYSTERESIS, 0, 1));
                    default -> new Partitioning.Equal();
                };
        choice.end();
        return partitioning;
    }

    /** Returns the given batch counts, or the best counts for the given speeds. */
    private static List<Integer> counts(JsonFieldReader choice) {
        if (!choice.given("speeds")) {
            return choice.integers("counts", DefinitionLimits.MAX_REPLICAS, 1, MAX_COUNT);
        }
        if (choice.given("counts")) {
            choice.reject(
                    "counts", "must not be given with speeds, from which the counts are computed");
        }
        List<Double> speeds = speeds(choice);
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

    private static List<Double> speeds(JsonFieldReader choice) {
        return choice.numbers("speeds", null, SIZES, MIN_SPEED, MAX_SPEED);
    }

    private static Partitioning functional(JsonFieldReader choice) {
        choice.oneOf("kernel", "training-step", List.of("training-step"));
        return new Partitioning.Functional(
                choice.named("model", Partitioning.Model.PIECEWISE),
                choice.named("solver", Partitioning.Solver.GEOMETRIC),
                choice.named("rounding", Partitioning.ShareRounding.LARGEST_REMAINDER),
                choice.named("points", Partitioning.Extent.FULL));
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
