package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workload of a run: what it trains, on which data, and for how long. */
public record Workload(DatasetSpec dataset, Network network, Training training) {

    /**
     * The network of every replica: a preset or a list of layers.
     *
     * @param hidden features of a word and units of the hidden layer of language models
     * @param layers each by its name with its fields
     */
    @Schema(name = "RunConfiguration.Network")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Network(
            @Nullable String preset, @Nullable Integer hidden, @Nullable List<Layer> layers) {

        public static Network of(Preset preset, int hidden) {
            return new Network(preset.label(), preset.isLanguageModel() ? hidden : null, null);
        }

        public static Network of(List<Layer> layers) {
            return new Network(null, null, layers);
        }
    }

    /**
     * Training settings of the replicas.
     *
     * @param batchSize samples per replica and round, on average over the replicas
     */
    @Schema(name = "RunConfiguration.Training")
    public record Training(int epochs, int batchSize, Loss loss, OptimizerSpec optimizer) {}
}
