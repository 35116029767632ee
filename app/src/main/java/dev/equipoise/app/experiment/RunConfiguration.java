package dev.equipoise.app.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
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
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One resolved configuration: nothing swept, every default written out.
 *
 * @param trace whether every phase of every round is kept
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
        long seed) {

    /**
     * How unequal the lab is made for an experiment.
     *
     * @param links what links are held back to; at most one limit for each and one for all others
     * @param slowDown by rank, the factors by which computing is stretched; 1 for all others
     */
    @Schema(name = "RunConfiguration.Heterogeneity")
    public record Heterogeneity(List<LinkLimit> links, Map<Integer, Double> slowDown) {

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
     * When the test set is looked at.
     *
     * @param every epochs between two looks; the last epoch ends with one in any case
     * @param replicas when each replica is looked at by itself, besides their mean
     */
    @Schema(name = "RunConfiguration.Evaluation")
    public record Evaluation(int every, Observation.Replicas replicas) {}

    /**
     * The workers that a run asks for.
     *
     * @param selector labels that every worker must bear
     */
    @Schema(name = "RunConfiguration.Workers")
    public record Workers(int replicas, Map<String, String> selector) {

        public Workers {
            selector = Map.copyOf(selector);
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
        return new RunConfiguration(
                apiVersion,
                name,
                dataset,
                network,
                training,
                workers,
                partitioning,
                other,
                topology,
                compression,
                channel,
                heterogeneity,
                execution,
                evaluation,
                trace,
                seed);
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
        return execution instanceof Execution.Virtual ? 1 : ranks();
    }

    /** Whether it takes the speed of every worker that it gets. */
    public boolean wantsSpeeds() {
        return execution instanceof Execution.Virtual(var speeds, var _, var _)
                ? speeds.isEmpty()
                : partitioning instanceof Partitioning.Functional;
    }

    /** Whether what the links between its workers cost must be measured. */
    public boolean followsLinks() {
        return topology.followsLinks()
                || (compression.followsLinks() && execution instanceof Execution.Real);
    }

    /** By how much the computing of a rank is stretched. */
    public double slowDown(int rank) {
        return heterogeneity.slowDown().getOrDefault(rank, 1.0);
    }

    /** Into how many mini-batches a rank cuts what it takes in a round. */
    public int count(int rank) {
        return partitioning instanceof Partitioning.BatchCounts(var counts)
                        && rank >= topology.servers()
                ? counts.get(rank - topology.servers())
                : 1;
    }

    /** Rounds an epoch, the same on every rank: the samples over the global mini-batch. */
    public int rounds() {
        long batches = IntStream.range(topology.servers(), ranks()).mapToLong(this::count).sum();
        double globalBatch = (double) training.batchSize() * batches;
        return (int) Math.max(1, Math.round(dataset.limit() / globalBatch));
    }
}
