package dev.equipoise.app.experiment;

import static java.util.stream.Collectors.toMap;

import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.network.Loss;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads a definition in which nothing is swept any more; notes everything that is wrong in it. */
final class ConfigurationReader {

    private static final Map<String, Topology.Algorithm> ALGORITHMS =
            Arrays.stream(Topology.Algorithm.values())
                    .collect(
                            toMap(
                                    it -> it.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                                    it -> it,
                                    (first, _) -> first,
                                    LinkedHashMap::new));

    private static final String API_VERSION = "equipoise/v1";
    static final int MOST_EPOCHS = 100_000;
    private static final int LARGEST_BATCH = 8192;
    static final int MOST_REPLICAS = 1024;

    private ConfigurationReader() {}

    /** The configuration; it is worth something only if no violation was added. */
    static RunConfiguration read(JsonNode definition, List<Violation> violations) {
        Fields root = Fields.of(definition, violations);
        RunConfiguration configuration =
                new RunConfiguration(
                        root.oneOf("apiVersion", null, List.of(API_VERSION)),
                        root.text("name", null),
                        DatasetReader.read(root.object("dataset")),
                        NetworkReader.read(root),
                        training(root.object("training")),
                        workers(root.object("workers")),
                        partitioning(root.choice("partitioning")),
                        synchronization(root.choice("synchronization")),
                        topology(root.choice("topology")),
                        compression(root.choice("compression")),
                        channel(root),
                        HeterogeneityReader.read(root.object("heterogeneity")),
                        evaluation(root.object("evaluation")),
                        root.wide("seed", 1));
        root.end();
        if (violations.isEmpty()) {
            checkTogether(configuration, violations);
            HeterogeneityReader.check(configuration, root);
            NetworkReader.check(configuration, root);
        }
        return configuration;
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
                new RunConfiguration.Evaluation(fields.integer("every", 1, 1, MOST_EPOCHS));
        fields.end();
        return evaluation;
    }

    private static RunConfiguration.Workers workers(Fields workers) {
        var demand =
                new RunConfiguration.Workers(
                        workers.integer("replicas", null, 1, MOST_REPLICAS),
                        workers.texts("selector"));
        workers.end();
        return demand;
    }

    private static Partitioning partitioning(Fields choice) {
        String kind = choice.oneOf("kind", "equal", List.of("equal", "functional"));
        if (kind.equals("functional")) {
            choice.oneOf("model", "piecewise", List.of("piecewise"));
            choice.oneOf("solver", "geometric", List.of("geometric"));
            choice.oneOf("kernel", "training-step", List.of("training-step"));
        }
        choice.end();
        return kind.equals("functional")
                ? new Partitioning.Functional(
                        Partitioning.Model.PIECEWISE, Partitioning.Solver.GEOMETRIC)
                : new Partitioning.Equal();
    }

    private static Synchronization synchronization(Fields choice) {
        choice.oneOf("kind", "bsp", List.of("bsp"));
        choice.end();
        return new Synchronization.Bsp();
    }

    private static Topology topology(Fields choice) {
        choice.oneOf("kind", "all-reduce", List.of("all-reduce"));
        String algorithm = choice.oneOf("algorithm", "ring", ALGORITHMS.keySet());
        String order = choice.oneOf("order", "by-rank", List.of("by-rank", "by-link"));
        choice.end();
        return new Topology.AllReduce(
                ALGORITHMS.getOrDefault(algorithm, Topology.Algorithm.RING),
                order.equals("by-link") ? Topology.Order.BY_LINK : Topology.Order.BY_RANK);
    }

    private static Compression compression(Fields choice) {
        choice.oneOf("kind", "none", List.of("none"));
        choice.end();
        return new Compression.None();
    }

    private static ChannelKind channel(Fields root) {
        String channel = root.oneOf("channel", "direct", List.of("direct", "hazelcast"));
        return channel.equals("hazelcast") ? ChannelKind.HAZELCAST : ChannelKind.DIRECT;
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
