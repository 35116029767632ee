package dev.equipoise.app.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.LinkLimit;
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
import org.jspecify.annotations.Nullable;

/** One resolved configuration: nothing swept, every default written out. */
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
        Evaluation evaluation,
        long seed) {

    /**
     * How unequal the lab is made for an experiment.
     *
     * @param links what links are held back to; at most one limit for each and one for all others
     */
    @Schema(name = "RunConfiguration.Heterogeneity")
    public record Heterogeneity(List<LinkLimit> links) {

        public Heterogeneity {
            links = List.copyOf(links);
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
     */
    @Schema(name = "RunConfiguration.Evaluation")
    public record Evaluation(int every) {}

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

    /** Rounds an epoch, the same on every rank: the samples over the global mini-batch. */
    public int rounds() {
        int globalBatch = training.batchSize() * workers.replicas();
        return Math.max(1, Math.round((float) dataset.limit() / globalBatch));
    }
}
