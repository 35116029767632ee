package dev.equipoise.app.experiment;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.CommunicationModel;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Arrays;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The networks that have a name. */
@RestController
@RequestMapping("/api/v1")
class NetworkController {

    /**
     * All networks by name.
     *
     * @param presets what a definition may name
     * @param communicationModels known by the sizes of their layers alone, for benchmarks of
     *     communication; they cannot be trained
     */
    record NetworkList(List<PresetView> presets, List<CommunicationView> communicationModels) {}

    /**
     * A preset as it was published; on other data its input and its scores are other ones.
     *
     * @param scores of the last layer
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
     * A network that only benchmarks of communication know.
     *
     * @param layerSizes parameters of each layer that learns
     */
    @Schema(name = "CommunicationModel")
    record CommunicationView(String name, int parameters, List<Integer> layerSizes) {

        static CommunicationView of(CommunicationModel model) {
            return new CommunicationView(model.label(), model.parameterCount(), model.layerSizes());
        }
    }

    @GetMapping("/networks")
    NetworkList networks() {
        return new NetworkList(
                Arrays.stream(Preset.values()).map(PresetView::of).toList(),
                Arrays.stream(CommunicationModel.values()).map(CommunicationView::of).toList());
    }
}
