package dev.equipoise.app.experiment;

import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.LayerMismatch;
import dev.equipoise.protocol.network.Preset;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the network of a definition, a preset or a list of layers, and fits it to the data: shapes
 * are inferred, and a layer that does not fit is refused.
 */
final class NetworkReader {

    static final int MOST_PARAMETERS = 500_000_000;

    private static final int MOST_LAYERS = 200;
    private static final int MOST_HIDDEN = 100_000;
    private static final String PRESET = "preset";
    private static final String LAYERS = "layers";

    /** Stands where none could be read. */
    private static final Architecture STOPGAP = Preset.MNIST_CNN.architecture();

    private final Fields network;
    private final DatasetSpec dataset;
    private final int scores;
    private final String scored;

    /**
     * @param scores that the network must end in
     * @param scored what these are, for example {@code 10 classes of mnist}
     */
    NetworkReader(Fields network, DatasetSpec dataset, int scores, String scored) {
        this.network = network;
        this.dataset = dataset;
        this.scores = scores;
        this.scored = scored;
    }

    RunConfiguration.Network read() {
        RunConfiguration.Network read = network.has(LAYERS) ? layers() : preset();
        network.end();
        return read;
    }

    static List<String> presets() {
        return Arrays.stream(Preset.values()).map(Preset::label).sorted().toList();
    }

    private RunConfiguration.Network preset() {
        String label = network.oneOf(PRESET, null, presets());
        Preset preset = Preset.named(label).orElse(Preset.MNIST_CNN);
        int hidden =
                preset.isLanguageModel()
                        ? network.integer("hidden", Preset.HIDDEN, 1, MOST_HIDDEN)
                        : Preset.HIDDEN;
        return label.isEmpty()
                ? new RunConfiguration.Network(null, STOPGAP)
                : new RunConfiguration.Network(label, fitted(preset, hidden));
    }

    private Architecture fitted(Preset preset, int hidden) {
        try {
            Architecture architecture =
                    bounded(preset.architecture(dataset.input(), scores, hidden), PRESET);
            requireFit(architecture, PRESET);
            return architecture;
        } catch (IllegalArgumentException e) {
            network.note(PRESET, "must fit the data: " + e.getMessage());
            return STOPGAP;
        }
    }

    private RunConfiguration.Network layers() {
        if (network.has(PRESET)) {
            network.oneOf(PRESET, null, presets());
            network.note(PRESET, "must not stand beside /network/layers");
        }
        List<Fields.Element> elements = network.elements(LAYERS, MOST_LAYERS);
        List<Layer> layers =
                elements.stream().flatMap(it -> LayerReader.read(it).stream()).toList();
        boolean readable = !layers.isEmpty() && layers.size() == elements.size();
        Architecture architecture = readable ? fitted(layers) : STOPGAP;
        return new RunConfiguration.Network(null, architecture);
    }

    private Architecture fitted(List<Layer> layers) {
        try {
            Architecture architecture =
                    bounded(Architecture.of(LAYERS, dataset.input(), layers), LAYERS);
            if (architecture.scores() != scores) {
                network.note(
                        LAYERS + "/" + (layers.size() - 1),
                        "must end in the %s, but ends in %s"
                                .formatted(scored, architecture.output()));
            }
            return architecture;
        } catch (LayerMismatch e) {
            network.note(LAYERS + "/" + e.layer(), String.valueOf(e.getMessage()));
            return STOPGAP;
        }
    }

    private void requireFit(Architecture architecture, String field) {
        if (architecture.scores() != scores || architecture.positions() != dataset.positions()) {
            network.note(
                    field,
                    "must end in scores for the %s at %d positions, but ends in %s"
                            .formatted(scored, dataset.positions(), architecture.output()));
        }
    }

    private Architecture bounded(Architecture architecture, String field) {
        if (architecture.parameterCount() > MOST_PARAMETERS) {
            network.note(
                    field,
                    "must have at most %,d parameters, but has %,d"
                            .formatted(MOST_PARAMETERS, architecture.parameterCount()));
        }
        return architecture;
    }
}
