package dev.equipoise.app.experiment;

import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Loss;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
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
        Evaluation evaluation,
        long seed) {

    /**
     * The network that every replica has a copy of.
     *
     * @param preset null where the definition lists layers
     * @param architecture the layers, with every default written out
     */
    @Schema(name = "RunConfiguration.Network")
    public record Network(
            @Nullable String preset,
            @Schema(implementation = Object.class) Architecture architecture) {}

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

    /** Rounds an epoch, the same on every rank: the samples over the global mini-batch. */
    public int rounds() {
        int globalBatch = training.batchSize() * workers.replicas();
        return Math.max(1, Math.round((float) dataset.limit() / globalBatch));
    }
}
