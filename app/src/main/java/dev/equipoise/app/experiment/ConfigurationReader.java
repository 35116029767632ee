package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.configuration.Environment;
import dev.equipoise.app.configuration.Instrumentation;
import dev.equipoise.app.configuration.Instrumentation.Evaluation;
import dev.equipoise.app.configuration.Instrumentation.Target;
import dev.equipoise.app.configuration.KeepModel;
import dev.equipoise.app.configuration.Parallelism;
import dev.equipoise.app.configuration.Parallelism.WantedWorkers;
import dev.equipoise.app.configuration.Preemption;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Scheduling;
import dev.equipoise.app.configuration.Scheduling.Checkpoint;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.app.configuration.Workload.Training;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.network.Loss;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Reads a definition without a parameter grid and without open choices, and reports everything that
 * is wrong. Fields are read in the order in which their violations are reported.
 */
final class ConfigurationReader {

    private static final String API_VERSION = "equipoise/v1";
    private static final int MAX_BATCH = 8192;
    private static final int RESTARTS = 5;
    private static final int MAX_RESTARTS = 100;
    private static final int MAX_KEPT = 100;

    private ConfigurationReader() {}

    /** Returns the configuration, which is valid only if no violation was added. */
    static RunConfiguration read(JsonNode definition, List<Violation> violations) {
        JsonFieldReader root = JsonFieldReader.of(definition, violations);
        RunConfiguration configuration = configuration(root);
        root.end(ParameterGrid.FIELDS);
        check(configuration, root, violations);
        return violations.isEmpty()
                ? withCheckpoints(withDefaultStaleness(configuration), root.object("checkpoint"))
                : configuration;
    }

    private static RunConfiguration configuration(JsonFieldReader root) {
        String apiVersion = root.oneOf("apiVersion", null, List.of(API_VERSION));
        String name = root.text("name", null);
        Workload workload = workload(root);
        Parallelism parallelism = parallelism(root);
        return new RunConfiguration(
                apiVersion,
                name,
                workload,
                parallelism,
                environment(
                        root, parallelism.topology().servers(), parallelism.workers().replicas()),
                instrumentation(root),
                scheduling(root),
                root.wide("seed", 1),
                null);
    }

    private static Workload workload(JsonFieldReader root) {
        return new Workload(
                DatasetReader.read(root.object("dataset")),
                NetworkReader.read(root),
                training(root.object("training")),
                root.given("initial") ? InitialReader.read(root.object("initial")) : null);
    }

    private static Training training(JsonFieldReader training) {
        int epochs = training.integer("epochs", null, 1, DefinitionLimits.MAX_EPOCHS);
        int batchSize = training.integer("batchSize", 64, 1, MAX_BATCH);
        Loss loss = loss(training.choice("loss"));
        OptimizerSpec optimizer = OptimizerReader.read(training, epochs);
        training.end();
        return new Training(epochs, batchSize, loss, optimizer);
    }

    private static Loss loss(JsonFieldReader choice) {
        Loss.Kind kind = choice.named("kind", Loss.Kind.SOFTMAX_CROSS_ENTROPY);
        Loss.Reduction reduction = choice.named("reduction", Loss.Reduction.MEAN);
        choice.end();
        return new Loss(kind, reduction);
    }

    private static Parallelism parallelism(JsonFieldReader root) {
        return new Parallelism(
                workers(root.object("workers")),
                PartitioningReader.read(root.choice("partitioning")),
                MethodReader.synchronization(root.choice("synchronization")),
                MethodReader.topology(root.choice("topology")),
                MethodReader.compression(root.choice("compression")),
                root.named("channel", ChannelKind.DIRECT));
    }

    private static WantedWorkers workers(JsonFieldReader fields) {
        int replicas = fields.integer("replicas", null, 1, DefinitionLimits.MAX_REPLICAS);
        var workers =
                new WantedWorkers(
                        replicas,
                        fields.integer("minimum", replicas, 1, replicas),
                        fields.texts("selector"));
        fields.end();
        return workers;
    }

    /**
     * Reads limits of links, slowdowns and the execution.
     *
     * @param first the first training rank
     * @param replicas the number of training ranks
     */
    static Environment environment(JsonFieldReader root, int first, int replicas) {
        return new Environment(
                HeterogeneityReader.read(root.object("heterogeneity"), first, replicas),
                ExecutionReader.read(root.choice("execution")));
    }

    private static Instrumentation instrumentation(JsonFieldReader root) {
        return new Instrumentation(
                evaluation(root.object("evaluation")),
                root.flag("trace", false),
                root.flag("record", false),
                root.named("keepModel", KeepModel.LAST));
    }

    private static Evaluation evaluation(JsonFieldReader fields) {
        var evaluation =
                new Evaluation(
                        fields.integer("every", 1, 1, DefinitionLimits.MAX_EPOCHS),
                        fields.named("replicas", Observation.Replicas.LAST),
                        fields.named("compared", ComparedAccuracy.MEAN),
                        fields.given("target") ? target(fields.object("target")) : null);
        fields.end();
        return evaluation;
    }

    private static Target target(JsonFieldReader fields) {
        var target = new Target(fields.number("accuracy", null, 0, 1));
        fields.end();
        return target;
    }

    private static Scheduling scheduling(JsonFieldReader root) {
        return new Scheduling(
                root.named("preemption", Preemption.NEVER),
                checkpoint(root.object("checkpoint")),
                root.integer("restarts", RESTARTS, 0, MAX_RESTARTS));
    }

    private static Checkpoint checkpoint(JsonFieldReader fields) {
        var checkpoint =
                new Checkpoint(
                        fields.integer("every", 0, 0, DefinitionLimits.MAX_EPOCHS),
                        fields.integer("keep", 1, 1, MAX_KEPT));
        fields.end();
        return checkpoint;
    }

    /** Checks values together after each was valid on its own. */
    private static void check(
            RunConfiguration configuration, JsonFieldReader root, List<Violation> violations) {
        if (violations.isEmpty()) {
            PartitioningReader.checkPerReplica(configuration, violations);
        }
        if (violations.isEmpty()) {
            checkSamples(configuration, violations);
            CompatibilityRules.check(configuration, root);
            checkCompared(configuration, violations);
            checkKeptReplica(configuration, violations);
            HeterogeneityReader.check(configuration, root);
            NetworkReader.check(configuration, root);
        }
    }

    private static void checkSamples(RunConfiguration configuration, List<Violation> violations) {
        int samples = configuration.dataset().limit();
        int replicas = configuration.workers().replicas();
        if (samples < replicas) {
            violations.add(
                    new Violation(
                            "/dataset/limit",
                            "must be at least the number of replicas, " + replicas,
                            samples));
        }
    }

    private static void checkCompared(RunConfiguration configuration, List<Violation> violations) {
        Evaluation evaluation = configuration.instrumentation().evaluation();
        if (evaluation.compared() == ComparedAccuracy.REPLICAS
                && evaluation.replicas() == Observation.Replicas.NEVER) {
            violations.add(
                    new Violation(
                            "/evaluation/compared",
                            "must be mean if /evaluation/replicas is never: no replica is"
                                    + " evaluated alone",
                            "replicas"));
        }
    }

    /** Checks that each evaluation tells which replica is the best one. */
    private static void checkKeptReplica(
            RunConfiguration configuration, List<Violation> violations) {
        Instrumentation instrumentation = configuration.instrumentation();
        Evaluation evaluation = instrumentation.evaluation();
        if (instrumentation.keepModel() == KeepModel.BEST
                && evaluation.compared() == ComparedAccuracy.REPLICAS
                && evaluation.replicas() == Observation.Replicas.LAST) {
            violations.add(
                    new Violation(
                            "/evaluation/replicas",
                            "must be always if /keepModel is best and /evaluation/compared is"
                                    + " replicas: the best replica is known only where each is"
                                    + " evaluated alone",
                            "last"));
        }
    }

    /** Stores a checkpoint after each epoch by default, if the run can continue from one. */
    private static RunConfiguration withCheckpoints(
            RunConfiguration configuration, JsonFieldReader fields) {
        return !fields.given("every") && ResumabilityRules.obstacles(configuration).isEmpty()
                ? configuration.with(
                        new Checkpoint(1, configuration.scheduling().checkpoint().keep()))
                : configuration;
    }

    /**
     * Writes out the bound of the staleness, or the sums in flight of queued sums. The default
     * bound lets any replica overlap one round (docs/algorithms.md, section 5); queued sums have
     * none.
     */
    private static RunConfiguration withDefaultStaleness(RunConfiguration configuration) {
        if (!(configuration.synchronization() instanceof Synchronization.Async async)
                || !(configuration.topology() instanceof Topology.AllReduce)) {
            return configuration;
        }
        return configuration.with(
                async.isQueued()
                        ? queued(async, configuration.rounds())
                        : new Synchronization.Async(
                                staleness(configuration, async),
                                async.weighting(),
                                async.correction()));
    }

    private static Synchronization queued(Synchronization.Async async, int rounds) {
        return new Synchronization.Async(
                null,
                async.weighting(),
                async.correction(),
                Math.min(Objects.requireNonNullElse(async.inFlight(), 1), rounds),
                Objects.requireNonNullElse(async.own(), Synchronization.OwnStep.WITH_SUM));
    }

    private static int staleness(RunConfiguration configuration, Synchronization.Async async) {
        Integer given = async.maxStaleness();
        return given != null
                ? given
                : IntStream.range(0, configuration.ranks())
                        .map(configuration::count)
                        .max()
                        .orElseThrow();
    }
}
