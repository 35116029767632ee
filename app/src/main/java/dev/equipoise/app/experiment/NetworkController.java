package dev.equipoise.app.experiment;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.CommunicationModel;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the named networks. */
@Tag(name = "Catalog")
@RestController
@RequestMapping("/api/v1")
class NetworkController {

    /**
     * All named networks.
     *
     * @param presets presets that a definition may name
     * @param communicationModels networks of which only layer sizes are known, for communication
     *     benchmarks; they cannot be trained
     */
    record NetworkList(List<PresetView> presets, List<CommunicationView> communicationModels) {}

    /**
     * A preset as published; other data change its input and its scores.
     *
     * @param name name in definitions
     * @param input shape of one sample
     * @param scores number of scores of the last layer
     * @param parameters number of weights
     * @param layers layers from the input to the output
     */
    @Schema(name = "NetworkPreset")
    record PresetView(String name, Shape input, int scores, int parameters, List<Layer> layers) {

        static PresetView of(Preset preset) {
            Architecture published = preset.architecture();
            return new PresetView(
                    preset.label(),
                    published.input(),
                    published.scores(),
                    published.parameterCount(),
                    published.layers());
        }
    }

    /**
     * A network for communication benchmarks.
     *
     * @param name name of the network
     * @param parameters number of weights
     * @param layerSizes parameters of each layer with weights
     */
    @Schema(name = "CommunicationModel")
    record CommunicationView(String name, int parameters, List<Integer> layerSizes) {

        static CommunicationView of(CommunicationModel model) {
            return new CommunicationView(model.label(), model.parameterCount(), model.layerSizes());
        }
    }

    /** Lists the networks that a definition may name. */
    @GetMapping("/networks")
    NetworkList listNetworks() {
        return new NetworkList(
                Arrays.stream(Preset.values()).map(PresetView::of).toList(),
                Arrays.stream(CommunicationModel.values()).map(CommunicationView::of).toList());
    }
}
