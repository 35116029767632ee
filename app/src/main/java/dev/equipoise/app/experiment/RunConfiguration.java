package dev.equipoise.app.experiment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.LayerMismatch;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One resolved configuration: nothing swept, every default written out.
 *
 * @param trace whether every phase of every round is kept
 * @param record whether all that chance decides is kept, so that the run can be repeated
 * @param preemption whether it makes room for others; never in what was stored before it could
 * @param checkpoint when a checkpoint is left; none in what was stored before it could be
 * @param restarts how often it is placed anew after its workers failed, in a row without getting
 *     further; 0 in what was stored before it was
 * @param automatic what the service chooses, or has chosen; null where everything is told
 */
public record RunConfiguration(
        String apiVersion,
        String name,
        DatasetSpec dataset,
        Network network,
        Training training,
        Workers workers,
        Partitioning partitioning,
        Synchronization synchronization,
        Topology topology,
        Compression compression,
        ChannelKind channel,
        Heterogeneity heterogeneity,
        Execution execution,
        Evaluation evaluation,
        boolean trace,
        boolean record,
        Preemption preemption,
        Checkpoint checkpoint,
        Integer restarts,
        long seed,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Automatic automatic) {

    public RunConfiguration {
        preemption = Objects.requireNonNullElse(preemption, Preemption.NEVER);
        checkpoint = Objects.requireNonNullElse(checkpoint, Checkpoint.NONE);
        restarts = Objects.requireNonNullElse(restarts, 0);
    }

    /** In which everything is told, and which keeps its workers, or fails with them. */
    public RunConfiguration(
            String apiVersion,
            String name,
            DatasetSpec dataset,
            Network network,
            Training training,
            Workers workers,
            Partitioning partitioning,
            Synchronization synchronization,
            Topology topology,
            Compression compression,
            ChannelKind channel,
            Heterogeneity heterogeneity,
            Execution execution,
            Evaluation evaluation,
            boolean trace,
            boolean record,
            long seed) {
        this(
                apiVersion,
                name,
                dataset,
                network,
                training,
                workers,
                partitioning,
                synchronization,
                topology,
                compression,
                channel,
                heterogeneity,
                execution,
                evaluation,
                trace,
                record,
                Preemption.NEVER,
                Checkpoint.NONE,
                0,
                seed,
                null);
    }

    /**
     * What a definition leaves to the service. Until a run is placed, something stands there that
     * the definition might say as well.
     *
     * @param choices the fields
     * @param definition of which the choice is to be made; null when it is made
     * @param reason for what was chosen; null until then
     */
    @Schema(name = "RunConfiguration.Automatic")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Automatic(
            List<Alternatives.Choice> choices,
            @Schema(implementation = Object.class) @Nullable ObjectNode definition,
            @Nullable String reason) {

        public Automatic {
            choices = List.copyOf(choices);
        }
    }

    /**
     * How unequal the lab is made for an experiment.
     *
     * @param links what links are held back to; at most one limit for each and one for all others
     * @param slowDown by rank, the factors by which computing is stretched; 1 for all others
     * @param slowDownFrom the first epoch in which it is
     */
    @Schema(name = "RunConfiguration.Heterogeneity")
    public record Heterogeneity(
            List<LinkLimit> links, Map<Integer, Double> slowDown, int slowDownFrom) {

        public Heterogeneity {
            links = List.copyOf(links);
            slowDown = Map.copyOf(slowDown);
        }
    }

    /**
     * The network that every replica has a copy of: a preset or a list of layers.
     *
     * @param hidden features of a word and units of the hidden layer, of language models
     * @param layers each by its name with its fields
     */
    @Schema(name = "RunConfiguration.Network")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Network(
            @Nullable String preset, @Nullable Integer hidden, @Nullable List<Layer> layers) {

        static Network of(Preset preset, int hidden) {
            return new Network(preset.label(), preset.isLanguageModel() ? hidden : null, null);
        }

        static Network of(List<Layer> layers) {
            return new Network(null, null, layers);
        }
    }

    /**
     * How a replica trains.
     *
     * @param batchSize samples a replica and round, on the mean over the replicas
     */
    @Schema(name = "RunConfiguration.Training")
    public record Training(int epochs, int batchSize, Loss loss, OptimizerSpec optimizer) {}

    /**
     * When a checkpoint is left.
     *
     * @param every epochs between two; 0 for none
     * @param keep how many of the newest stay
     */
    @Schema(name = "RunConfiguration.Checkpoint")
    public record Checkpoint(int every, int keep) {

        static final Checkpoint NONE = new Checkpoint(0, 1);

        /** Whether one is left after an epoch. */
        public boolean isDueAfter(int epoch) {
            return every > 0 && epoch % every == 0;
        }
    }

    /**
     * When the test set is looked at.
     *
     * @param every epochs between two looks; the last epoch ends with one in any case
     * @param replicas when each replica is looked at by itself, besides their mean
     * @param target what the run is to reach, by which plans are ranked; it stops nothing
     */
    @Schema(name = "RunConfiguration.Evaluation")
    public record Evaluation(
            int every,
            Observation.Replicas replicas,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Target target) {

        /** Without a target. */
        public Evaluation(int every, Observation.Replicas replicas) {
            this(every, replicas, null);
        }
    }

    /** A test accuracy. */
    @Schema(name = "RunConfiguration.Target")
    public record Target(double accuracy) {}

    /**
     * The workers that a run asks for.
     *
     * @param minimum of replicas with which it goes on when workers are lost; all of them in what
     *     was stored before it could
     * @param selector labels that every worker must bear
     */
    @Schema(name = "RunConfiguration.Workers")
    public record Workers(int replicas, Integer minimum, Map<String, String> selector) {

        public Workers {
            minimum = Objects.requireNonNullElse(minimum, replicas);
            selector = Map.copyOf(selector);
        }

        /** All of which it needs. */
        public Workers(int replicas, Map<String, String> selector) {
            this(replicas, replicas, selector);
        }
    }

    /**
     * The network with the shapes that follow from the data.
     *
     * @throws LayerMismatch if it does not fit them
     */
    public Architecture architecture() {
        List<Layer> layers = network.layers();
        return layers != null
                ? Architecture.of("layers", dataset.input(), layers)
                : Preset.named(String.valueOf(network.preset()))
                        .orElseThrow()
                        .architecture(
                                dataset.input(),
                                scores(),
                                Optional.ofNullable(network.hidden()).orElse(Preset.HIDDEN));
    }

    /** How many scores the loss compares with a label. */
    int scores() {
        return switch (training.loss().kind()) {
            case SOFTMAX_CROSS_ENTROPY -> dataset.classes();
            case SQUARED_ERROR -> dataset.targetUnits();
        };
    }

    /** The same, but for when replicas agree. */
    RunConfiguration with(Synchronization other) {
        return with(other, checkpoint, seed, automatic);
    }

    /** The same, but for what chance begins with. */
    public RunConfiguration withSeed(long other) {
        return with(synchronization, checkpoint, other, automatic);
    }

    /** The same, as what is left to the service, or was chosen by it. */
    RunConfiguration with(Automatic other) {
        return with(synchronization, checkpoint, seed, other);
    }

    /** The same, but for when a checkpoint is left. */
    RunConfiguration with(Checkpoint other) {
        return with(synchronization, other, seed, automatic);
    }

    private RunConfiguration with(
            Synchronization otherSynchronization,
            Checkpoint otherCheckpoint,
            long otherSeed,
            @Nullable Automatic otherAutomatic) {
        return new RunConfiguration(
                apiVersion,
                name,
                dataset,
                network,
                training,
                workers,
                partitioning,
                otherSynchronization,
                topology,
                compression,
                channel,
                heterogeneity,
                execution,
                evaluation,
                trace,
                record,
                preemption,
                otherCheckpoint,
                restarts,
                otherSeed,
                otherAutomatic);
    }

    /** Whether the service has to choose something before the run can be placed. */
    @JsonIgnore
    public boolean isOpen() {
        return automatic != null && automatic.definition() != null;
    }

    /** What the definition may become by what the service chooses; empty where all is told. */
    public Optional<Alternatives> alternatives(int mostReplicas) {
        return automatic == null || automatic.definition() == null
                ? Optional.empty()
                : Optional.of(
                        new Alternatives(
                                automatic.definition(),
                                Set.copyOf(automatic.choices()),
                                mostReplicas));
    }

    /** What one of the alternatives is when it is chosen. */
    public RunConfiguration chosen(Alternatives.Alternative alternative, String reason) {
        return alternative
                .configuration()
                .with(
                        new Automatic(
                                automatic == null ? List.of() : automatic.choices(), null, reason));
    }

    /** How replicas agree. */
    public Method method() {
        return new Method(synchronization, topology, compression);
    }

    /** Replicas, and before them those that serve. */
    public int ranks() {
        return workers.replicas() + topology.servers();
    }

    /** How many workers it takes. */
    public int workersWanted() {
        return isOnOneWorker() ? 1 : ranks();
    }

    /** Whether it may be stopped before its end, to go on later. */
    @JsonIgnore
    public boolean isPreemptible() {
        return preemption == Preemption.ALLOWED;
    }

    /** Whether it may leave a checkpoint, or lose ranks, and go on. */
    @JsonIgnore
    public boolean isStoppable() {
        return isPreemptible() || isElastic() || checkpoint.every() > 0;
    }

    /** Whether it goes on with fewer replicas than it asks for. */
    @JsonIgnore
    public boolean isElastic() {
        return workers.minimum() < workers.replicas();
    }

    /**
     * Whether it goes on so without standing still: each rank has weights of its own, and trains to
     * the end of the epoch without those that are lost.
     */
    public boolean carriesOn() {
        return isElastic() && method().carriesOn();
    }

    /** Whether it can leave checkpoints, and go on from one. */
    @JsonIgnore
    public boolean isResumable() {
        return Resuming.obstacles(this).isEmpty();
    }

    /** Whether all replicas hold the same weights, to the bit, after each epoch. */
    public boolean endsEpochsWithEqualReplicas() {
        return method().endsEpochsWithEqualReplicas(rounds());
    }

    /** How many ranks only sum up what others step by: the first ones, of no weights of note. */
    public int ranksWithoutWeights() {
        return switch (synchronization) {
            case Synchronization.Async _, Synchronization.StaleSynchronous _ -> 0;
            case Synchronization.Bsp _,
                    Synchronization.LocalSgd _,
                    Synchronization.DiLoCo _,
                    Synchronization.AdPsgd _ ->
                    topology.servers();
        };
    }

    /** Whether one worker has all ranks. */
    @JsonIgnore
    public boolean isOnOneWorker() {
        return !(execution instanceof Execution.Real);
    }

    /** The run whose order of events this one repeats. */
    public Optional<RunId> repeats() {
        return execution instanceof Execution.Replay(RunId run)
                ? Optional.of(run)
                : Optional.empty();
    }

    /**
     * The fields in which a run that repeats another one may not differ from it, but does; which
     * are all but its name, where it is executed, and what is kept of it.
     */
    public List<String> differencesTo(RunConfiguration repeated) {
        Map<String, Object> others = repeated.repeatable();
        return repeatable().entrySet().stream()
                .filter(field -> !field.getValue().equals(others.get(field.getKey())))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private Map<String, Object> repeatable() {
        return Map.ofEntries(
                Map.entry("dataset", dataset),
                Map.entry("network", network),
                Map.entry("training", training),
                Map.entry("workers/replicas", workers.replicas()),
                Map.entry("partitioning", partitioning),
                Map.entry("synchronization", synchronization),
                Map.entry("topology", topology),
                Map.entry("compression", compression),
                Map.entry("channel", channel),
                Map.entry("heterogeneity", heterogeneity),
                Map.entry("evaluation", evaluation),
                Map.entry("seed", seed));
    }

    /** Whether it takes the speed of every worker that it gets. */
    public boolean wantsSpeeds() {
        return switch (execution) {
            case Execution.Virtual(var speeds, var _, var _) -> speeds.isEmpty();
            case Execution.Real _ ->
                    partitioning instanceof Partitioning.Functional
                            || partitioning instanceof Partitioning.Hybrid;
            case Execution.Replay _ -> false;
        };
    }

    /** Whether what the links between its workers cost must be measured; not what is repeated. */
    public boolean followsLinks() {
        return repeats().isEmpty()
                && (topology.followsLinks()
                        || (compression.followsLinks() && execution instanceof Execution.Real));
    }

    /** Whether what sums over its workers take must be measured. */
    public boolean wantsAllReduces() {
        return partitioning instanceof Partitioning.Hybrid && execution instanceof Execution.Real;
    }

    /** Whether the links between its workers must be measured, for one reason or another. */
    public boolean wantsLinks() {
        return followsLinks() || wantsAllReduces();
    }

    /**
     * How fast a rank of a virtual run is told to compute; none where that is measured. What is
     * told goes by replica, and again from the first; who serves computes nothing.
     */
    public Optional<Execution.Speed> speed(int rank) {
        return execution instanceof Execution.Virtual(var speeds, var _, var _) && !speeds.isEmpty()
                ? Optional.of(speeds.get(Math.max(0, rank - topology.servers()) % speeds.size()))
                : Optional.empty();
    }

    /** Where its ranks are, with the speeds that are told of them by rank. */
    public Execution executionByRank() {
        return execution instanceof Execution.Virtual(var _, var jitter, var link)
                        && topology.servers() > 0
                ? new Execution.Virtual(
                        IntStream.range(0, ranks())
                                .mapToObj(this::speed)
                                .flatMap(Optional::stream)
                                .toList(),
                        jitter,
                        link)
                : execution;
    }

    /** By how much the computing of a rank is stretched. */
    public double slowDown(int rank) {
        return heterogeneity.slowDown().getOrDefault(rank, 1.0);
    }

    /** The same in the first epoch. */
    public double slowDownAtFirst(int rank) {
        return heterogeneity.slowDownFrom() > 1 ? 1 : slowDown(rank);
    }

    /** The part by which the longest computing must become shorter for shares to change, if any. */
    public @Nullable Double hysteresis() {
        return partitioning instanceof Partitioning.Dynamic(double hysteresis) ? hysteresis : null;
    }

    /** Into how many mini-batches a rank cuts what it takes in a round. */
    public int count(int rank) {
        return partitioning instanceof Partitioning.BatchCounts(var counts)
                        && rank >= topology.servers()
                ? counts.get(rank - topology.servers())
                : 1;
    }

    /** Samples that all ranks take together in a round, on the mean, rounded. */
    public int samplesOfRound() {
        return (int) Math.max(1, Math.round(dataset.limit() / (double) rounds()));
    }

    /** Rounds an epoch, the same on every rank: the samples over the global mini-batch. */
    public int rounds() {
        long batches = IntStream.range(topology.servers(), ranks()).mapToLong(this::count).sum();
        double globalBatch = (double) training.batchSize() * batches;
        return (int) Math.max(1, Math.round(dataset.limit() / globalBatch));
    }
}
