package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.Violation;
import dev.equipoise.performance.partition.BatchCounts;
import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.network.Loss;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Reads a definition in which nothing is swept any more; notes everything that is wrong in it. */
final class ConfigurationReader {

    private static final String API_VERSION = "equipoise/v1";
    static final int MOST_EPOCHS = 100_000;
    private static final int LARGEST_BATCH = 8192;
    static final int MOST_REPLICAS = 1024;
    private static final int MOST_COUNT = 1000;

    /** Mini-batches of a round among which counts are looked for. */
    private static final int MOST_BATCHES = 10_000;

    private static final int RESTARTS = 5;
    private static final int MOST_RESTARTS = 100;
    private static final int MOST_KEPT = 100;

    private static final double LEAST_SPEED = 1e-6;
    private static final double HYSTERESIS = 0.05;
    private static final double MOST_SPEED = 1e6;

    private ConfigurationReader() {}

    /** The configuration; it is worth something only if no violation was added. */
    static RunConfiguration read(JsonNode definition, List<Violation> violations) {
        return AutomaticReader.of(definition)
                .map(automatic -> automatic.read(violations))
                .orElseGet(() -> readTold(definition, violations));
    }

    /** One in which nothing is left to the service. */
    static RunConfiguration readTold(JsonNode definition, List<Violation> violations) {
        Fields root = Fields.of(definition, violations);
        String apiVersion = root.oneOf("apiVersion", null, List.of(API_VERSION));
        String name = root.text("name", null);
        var dataset = DatasetReader.read(root.object("dataset"));
        var network = NetworkReader.read(root);
        RunConfiguration.Training training = training(root.object("training"));
        RunConfiguration.Workers workers = workers(root.object("workers"));
        Partitioning partitioning = partitioning(root.choice("partitioning"));
        var synchronization = MethodReader.synchronization(root.choice("synchronization"));
        Topology topology = MethodReader.topology(root.choice("topology"));
        RunConfiguration configuration =
                new RunConfiguration(
                        apiVersion,
                        name,
                        dataset,
                        network,
                        training,
                        workers,
                        partitioning,
                        synchronization,
                        topology,
                        MethodReader.compression(root.choice("compression")),
                        channel(root),
                        HeterogeneityReader.read(
                                root.object("heterogeneity"),
                                topology.servers(),
                                workers.replicas()),
                        ExecutionReader.read(root.choice("execution")),
                        evaluation(root.object("evaluation")),
                        root.flag("trace", false),
                        root.flag("record", false),
                        root.named("preemption", Preemption.NEVER),
                        checkpoint(root.object("checkpoint")),
                        root.integer("restarts", RESTARTS, 0, MOST_RESTARTS),
                        root.wide("seed", 1),
                        null);
        root.end();
        if (violations.isEmpty()) {
            checkPerReplica(configuration, violations);
        }
        if (violations.isEmpty()) {
            checkTogether(configuration, violations);
            Composition.check(configuration, root);
            HeterogeneityReader.check(configuration, root);
            NetworkReader.check(configuration, root);
        }
        return violations.isEmpty()
                ? withCheckpoints(withBound(configuration), root.object("checkpoint"))
                : configuration;
    }

    /** Unless it says otherwise, a run that can go on from a checkpoint leaves one each epoch. */
    private static RunConfiguration withCheckpoints(RunConfiguration configuration, Fields fields) {
        return !fields.given("every") && configuration.isResumable()
                ? configuration.with(
                        new RunConfiguration.Checkpoint(1, configuration.checkpoint().keep()))
                : configuration;
    }

    private static RunConfiguration.Checkpoint checkpoint(Fields fields) {
        var checkpoint =
                new RunConfiguration.Checkpoint(
                        fields.integer("every", 0, 0, MOST_EPOCHS),
                        fields.integer("keep", 1, 1, MOST_KEPT));
        fields.end();
        return checkpoint;
    }

    /** Who may overlap one round of the fastest, may overlap one of any (ALGORITHMS section 5). */
    private static RunConfiguration withBound(RunConfiguration configuration) {
        return configuration.synchronization() instanceof Synchronization.Async async
                        && configuration.topology() instanceof Topology.AllReduce
                        && async.maxStaleness() == null
                ? configuration.with(
                        new Synchronization.Async(
                                IntStream.range(0, configuration.ranks())
                                        .map(configuration::count)
                                        .max()
                                        .orElseThrow(),
                                async.weighting(),
                                async.correction()))
                : configuration;
    }

    private static RunConfiguration.Training training(Fields training) {
        int epochs = training.integer("epochs", null, 1, MOST_EPOCHS);
        int batchSize = training.integer("batchSize", 64, 1, LARGEST_BATCH);
        Loss loss = loss(training.choice("loss"));
        OptimizerSpec optimizer = OptimizerReader.read(training, epochs);
        training.end();
        return new RunConfiguration.Training(epochs, batchSize, loss, optimizer);
    }

    private static Loss loss(Fields choice) {
        String kind =
                choice.oneOf(
                        "kind",
                        "softmax-cross-entropy",
                        List.of("softmax-cross-entropy", "squared-error"));
        String reduction = choice.oneOf("reduction", "mean", List.of("mean", "sum"));
        choice.end();
        return new Loss(
                kind.equals("squared-error")
                        ? Loss.Kind.SQUARED_ERROR
                        : Loss.Kind.SOFTMAX_CROSS_ENTROPY,
                reduction.equals("sum") ? Loss.Reduction.SUM : Loss.Reduction.MEAN);
    }

    private static RunConfiguration.Evaluation evaluation(Fields fields) {
        var evaluation =
                new RunConfiguration.Evaluation(
                        fields.integer("every", 1, 1, MOST_EPOCHS),
                        fields.named("replicas", Observation.Replicas.LAST),
                        fields.given("target") ? target(fields.object("target")) : null);
        fields.end();
        return evaluation;
    }

    private static RunConfiguration.Target target(Fields fields) {
        var target = new RunConfiguration.Target(fields.number("accuracy", null, 0, 1));
        fields.end();
        return target;
    }

    private static RunConfiguration.Workers workers(Fields workers) {
        int replicas = workers.integer("replicas", null, 1, MOST_REPLICAS);
        var demand =
                new RunConfiguration.Workers(
                        replicas,
                        workers.integer("minimum", replicas, 1, replicas),
                        workers.texts("selector"));
        workers.end();
        return demand;
    }

    private static Partitioning partitioning(Fields choice) {
        String kind =
                choice.kind(
                        "equal",
                        List.of(
                                "equal",
                                "constant",
                                "functional",
                                "dynamic",
                                "batch-counts",
                                "hybrid"));
        Partitioning partitioning =
                switch (kind) {
                    case "constant" ->
                            new Partitioning.Constant(
                                    choice.numbers(
                                            "speeds",
                                            null,
                                            IntStream.rangeClosed(1, MOST_REPLICAS)
                                                    .boxed()
                                                    .toList(),
                                            LEAST_SPEED,
                                            MOST_SPEED));
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

    /** As they are told, or the best for speeds that are told. */
    private static List<Integer> counts(Fields choice) {
        if (!choice.given("speeds")) {
            return choice.integers("counts", MOST_REPLICAS, 1, MOST_COUNT);
        }
        if (choice.given("counts")) {
            choice.refuse("counts", "must not stand beside speeds, for which they are found");
        }
        List<Double> speeds =
                choice.numbers(
                        "speeds",
                        null,
                        IntStream.rangeClosed(1, MOST_REPLICAS).boxed().toList(),
                        LEAST_SPEED,
                        MOST_SPEED);
        int most =
                choice.integer(
                        "most",
                        speeds.size() * Alternatives.COUNTS_A_REPLICA,
                        speeds.size(),
                        MOST_BATCHES);
        List<BatchCounts> choices = BatchCounts.choices(speeds, most);
        if (choices.isEmpty()) {
            choice.refuse(
                    "speeds",
                    "must not be so unequal that no %d mini-batches have one for the slowest"
                            .formatted(most));
            return List.of(1);
        }
        return choices.getLast().counts();
    }

    private static Partitioning functional(Fields choice) {
        choice.oneOf("kernel", "training-step", List.of("training-step"));
        return new Partitioning.Functional(
                choice.named("model", Partitioning.Model.PIECEWISE),
                choice.named("solver", Partitioning.Solver.GEOMETRIC),
                choice.named("rounding", Partitioning.Rounding.LARGEST_REMAINDER),
                choice.named("points", Partitioning.Extent.FULL));
    }

    private static Partitioning hybrid(Fields choice) {
        return new Partitioning.Hybrid(
                choice.integerOr("auto", "nodeParallel", 1, MOST_REPLICAS).orElse(null),
                choice.named("shares", Partitioning.HybridSolver.LINEAR_PROGRAM));
    }

    private static ChannelKind channel(Fields root) {
        String channel = root.oneOf("channel", "direct", List.of("direct", "hazelcast"));
        return channel.equals("hazelcast") ? ChannelKind.HAZELCAST : ChannelKind.DIRECT;
    }

    /** The rounds of a run follow from counts, and with these other rules. */
    private static void checkPerReplica(
            RunConfiguration configuration, List<Violation> violations) {
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

    /** Rules that take more than one field. */
    private static void checkTogether(RunConfiguration configuration, List<Violation> violations) {
        int samples = configuration.dataset().limit();
        int replicas = configuration.workers().replicas();
        if (samples < replicas) {
            violations.add(
                    new Violation(
                            "/dataset/limit",
                            "must be at least the number of replicas, " + replicas,
                            samples));
        }
        if (configuration.topology().followsLinks()) {
            checkOrder(configuration, violations);
        }
    }

    private static void checkOrder(RunConfiguration configuration, List<Violation> violations) {
        if (configuration.topology() instanceof Topology.AllReduce(var algorithm, var _)
                && algorithm != Topology.Algorithm.RING) {
            violations.add(
                    new Violation(
                            "/topology/order",
                            "must be by-rank unless the algorithm is ring, the one in which it"
                                    + " matters",
                            "by-link"));
        }
        if (configuration.workers().replicas() > LinkProfiling.MOST_WORKERS) {
            violations.add(
                    new Violation(
                            "/topology/order",
                            "must be by-rank for more than %d replicas, as every link between them is measured"
                                    .formatted(LinkProfiling.MOST_WORKERS),
                            "by-link"));
        }
        if (configuration.heterogeneity().links().stream().anyMatch(it -> it.between() != null)) {
            violations.add(
                    new Violation(
                            "/topology/order",
                            "must be by-rank where /heterogeneity/links names ranks, as the order"
                                    + " is made for the real links",
                            "by-link"));
        }
    }
}
