package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Workload.Network;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.LayerMismatch;
import dev.equipoise.protocol.network.Preset;
import java.util.Arrays;
import java.util.List;

/** Reads the network of a definition, a preset or a list of layers, and checks its shapes. */
final class NetworkReader {

    private static final int MAX_PARAMETERS = 500_000_000;
    private static final int MAX_NUMBERS = 1 << 29;
    private static final int MAX_LAYERS = 200;
    private static final int MAX_HIDDEN = 100_000;
    private static final String NETWORK = "network";
    private static final String PRESET = "preset";
    private static final String LAYERS = "layers";

    /** A placeholder for an invalid network. */
    private static final Network PLACEHOLDER = Network.of(Preset.MNIST_CNN, Preset.HIDDEN);

    private NetworkReader() {}

    static Network read(JsonFieldReader root) {
        JsonFieldReader network = root.object(NETWORK);
        Network read = network.has(LAYERS) ? layers(network) : preset(network);
        network.end();
        return read;
    }

    static List<String> presets() {
        return Arrays.stream(Preset.values()).map(Preset::label).sorted().toList();
    }

    private static Network preset(JsonFieldReader network) {
        String label = network.oneOf(PRESET, null, presets());
        Preset preset = Preset.named(label).orElse(Preset.MNIST_CNN);
        int hidden =
                preset.isLanguageModel()
                        ? network.integer("hidden", Preset.HIDDEN, 1, MAX_HIDDEN)
                        : Preset.HIDDEN;
        return Network.of(preset, hidden);
    }

    private static Network layers(JsonFieldReader network) {
        if (network.has(PRESET)) {
            network.oneOf(PRESET, null, presets());
            network.reject(PRESET, "must not be given with /network/layers");
        }
        List<JsonFieldReader.Element> elements = network.elements(LAYERS, 1, MAX_LAYERS);
        List<Layer> layers =
                elements.stream().flatMap(it -> LayerReader.read(it).stream()).toList();
        boolean readable = !layers.isEmpty() && layers.size() == elements.size();
        return readable ? Network.of(layers) : PLACEHOLDER;
    }

    /** Infers the shapes, after all fields that determine them have been read. */
    static void check(RunConfiguration configuration, JsonFieldReader root) {
        List<Layer> layers = configuration.network().layers();
        String field = NETWORK + "/" + (layers == null ? PRESET : LAYERS);
        try {
            Architecture architecture = configuration.architecture();
            if (architecture.parameterCount() > MAX_PARAMETERS) {
                root.note(
                        field,
                        "must have at most %,d parameters, but has %,d"
                                .formatted(MAX_PARAMETERS, architecture.parameterCount()));
            }
            if (architecture.parameterCount() == 0) {
                root.note(field, "must have parameters to learn");
            }
            requireMemory(configuration, architecture, root);
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
            RunConfiguration configuration, Architecture architecture, JsonFieldReader root) {
        if (!(configuration.topology() instanceof Topology.ParameterServer server)) {
            return;
        }
        long parts = countParts(architecture, server);
        if (server.servers() > parts) {
            root.note(
                    "topology/servers",
                    "must be at most the %s of the network, %d, so that each server has some"
                            .formatted(
                                    server.perLayer() ? "layers with weights" : "parameters",
                                    parts));
        }
    }

    /** Counts what can be distributed over the servers. */
    private static long countParts(Architecture architecture, Topology.ParameterServer server) {
        return server.perLayer()
                ? architecture.stages().stream().filter(it -> it.weights() > 0).count()
                : architecture.parameterCount();
    }

    /** Checks the outputs of each layer for a mini-batch, which are one block of memory. */
    private static void requireMemory(
            RunConfiguration configuration, Architecture architecture, JsonFieldReader root) {
        long largest =
                architecture.stages().stream()
                        .mapToLong(stage -> stage.output().size())
                        .max()
                        .orElse(0);
        long numbers = largest * configuration.training().batchSize();
        if (numbers > MAX_NUMBERS) {
            root.note(
                    "training/batchSize",
                    "must give every layer at most %,d values per mini-batch, but a layer has %,d"
                            .formatted(MAX_NUMBERS, numbers));
        }
    }

    private static void requireScores(
            RunConfiguration configuration,
            Architecture architecture,
            JsonFieldReader root,
            String field) {
        int scores = configuration.scores();
        int positions = configuration.dataset().positions();
        if (architecture.scores() != scores || architecture.positions() != positions) {
            root.note(
                    field,
                    "must end in %d scores at %d position%s, as data and loss require, but ends in %s"
                            .formatted(
                                    scores,
                                    positions,
                                    positions == 1 ? "" : "s",
                                    architecture.output()));
        }
    }
}
