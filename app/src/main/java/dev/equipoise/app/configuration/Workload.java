package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workload of a run: what it trains, on which data, and for how long.
 *
 * @param dataset data on which it trains
 * @param network network of every replica
 * @param training settings of the training
 * @param initial the model with whose weights it begins; null for random ones
 */
public record Workload(
        DatasetSpec dataset,
        Network network,
        Training training,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Initial initial) {

    /** Creates a workload that begins with random weights. */
    public Workload(DatasetSpec dataset, Network network, Training training) {
        this(dataset, network, training, null);
    }

    /**
     * The trained model of another run, with whose weights every rank begins.
     *
     * @param run id of the run whose model it is
     * @param digest SHA-256 digest of its file, 64 hexadecimal digits; null until a run is queued,
     *     unless the definition has it
     */
    @Schema(name = "RunConfiguration.Initial")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Initial(RunId run, @Nullable String digest) {}

    /** Returns this workload with another model to begin with. */
    Workload with(Initial other) {
        return new Workload(dataset, network, training, other);
    }

    /**
     * The network of every replica: a preset or a list of layers.
     *
     * @param preset name of a preset; null if the definition has layers
     * @param hidden features of a word and units of the hidden layer of language models
     * @param layers layers, each by its name with its fields
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
     * @param epochs number of epochs
     * @param batchSize samples per replica and round, on average over the replicas
     * @param loss loss that is minimized
     * @param optimizer optimizer of each replica
     */
    @Schema(name = "RunConfiguration.Training")
    public record Training(int epochs, int batchSize, Loss loss, OptimizerSpec optimizer) {}
}
