package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.LayerMismatch;
import dev.equipoise.protocol.network.Preset;
import java.util.Arrays;
import java.util.List;

/** Reads the network of a definition, a preset or a list of layers, and checks that it fits. */
final class NetworkReader {

    private static final int MOST_PARAMETERS = 500_000_000;
    private static final int MOST_NUMBERS = 1 << 29;
    private static final int MOST_LAYERS = 200;
    private static final int MOST_HIDDEN = 100_000;
    private static final String NETWORK = "network";
    private static final String PRESET = "preset";
    private static final String LAYERS = "layers";

    /** Stands where none could be read. */
    private static final RunConfiguration.Network STOPGAP =
            RunConfiguration.Network.of(Preset.MNIST_CNN, Preset.HIDDEN);

    private NetworkReader() {}

    static RunConfiguration.Network read(Fields root) {
        Fields network = root.object(NETWORK);
        RunConfiguration.Network read = network.has(LAYERS) ? layers(network) : preset(network);
        network.end();
        return read;
    }

    static List<String> presets() {
        return Arrays.stream(Preset.values()).map(Preset::label).sorted().toList();
    }

    private static RunConfiguration.Network preset(Fields network) {
        String label = network.oneOf(PRESET, null, presets());
        Preset preset = Preset.named(label).orElse(Preset.MNIST_CNN);
        int hidden =
                preset.isLanguageModel()
                        ? network.integer("hidden", Preset.HIDDEN, 1, MOST_HIDDEN)
                        : Preset.HIDDEN;
        return RunConfiguration.Network.of(preset, hidden);
    }

    private static RunConfiguration.Network layers(Fields network) {
        if (network.has(PRESET)) {
            network.oneOf(PRESET, null, presets());
            network.refuse(PRESET, "must not stand beside /network/layers");
        }
        List<Fields.Element> elements = network.elements(LAYERS, 1, MOST_LAYERS);
        List<Layer> layers =
                elements.stream().flatMap(it -> LayerReader.read(it).stream()).toList();
        boolean readable = !layers.isEmpty() && layers.size() == elements.size();
        return readable ? RunConfiguration.Network.of(layers) : STOPGAP;
    }

    /** Infers the shapes, once all parts are read that these follow from. */
    static void check(RunConfiguration configuration, Fields root) {
        List<Layer> layers = configuration.network().layers();
        String field = NETWORK + "/" + (layers == null ? PRESET : LAYERS);
        try {
            Architecture architecture = configuration.architecture();
            if (architecture.parameterCount() > MOST_PARAMETERS) {
                root.note(
                        field,
                        "must have at most %,d parameters, but has %,d"
                                .formatted(MOST_PARAMETERS, architecture.parameterCount()));
            }
            if (architecture.parameterCount() == 0) {
                root.note(field, "must have parameters to learn");
            }
            requireRoom(configuration, architecture, root);
            requireServers(configuration, architecture, root);
            requireScores(
                    configuration,
                    architecture,
                    root,
                    layers == null ? field : field + "/" + (layers.size() - 1));
        } catch (LayerMismatch e) {
            root.note(
                    layers == null ? field : field + "/" + e.layer(),
                    "must fit: " + e.getMessage());
        }
    }

    private static void requireServers(
            RunConfiguration configuration, Architecture architecture, Fields root) {
        if (!(configuration.topology() instanceof Topology.ParameterServer server)) {
            return;
        }
        long parts =
                server.perLayer()
                        ? architecture.stages().stream().filter(it -> it.weights() > 0).count()
                        : architecture.parameterCount();
        if (server.servers() > parts) {
            root.note(
                    "topology/servers",
                    "must be at most the %s of the network, %d, so that each has some"
                            .formatted(
                                    server.perLayer() ? "layers with weights" : "parameters",
                                    parts));
        }
    }

    /** The values that a layer makes of a mini-batch are one block of memory. */
    private static void requireRoom(
            RunConfiguration configuration, Architecture architecture, Fields root) {
        long largest =
                architecture.stages().stream()
                        .mapToLong(stage -> stage.output().size())
                        .max()
                        .orElse(0);
        long numbers = largest * configuration.training().batchSize();
        if (numbers > MOST_NUMBERS) {
            root.note(
                    "training/batchSize",
                    "must leave every layer at most %,d values a mini-batch, but one makes %,d"
                            .formatted(MOST_NUMBERS, numbers));
        }
    }

    private static void requireScores(
            RunConfiguration configuration, Architecture architecture, Fields root, String field) {
        int scores = configuration.scores();
        int positions = configuration.dataset().positions();
        if (architecture.scores() != scores || architecture.positions() != positions) {
            root.note(
                    field,
                    "must end in %d scores at %d position%s, as data and loss ask for, but ends in %s"
                            .formatted(
                                    scores,
                                    positions,
                                    positions == 1 ? "" : "s",
                                    architecture.output()));
        }
    }
}
