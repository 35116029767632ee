package dev.equipoise.app.experiment;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Serves the presets. */
@Tag(name = "Catalog")
@RestController
@RequestMapping("/api/v1")
class PresetController {

    private final ExperimentPresets presets;

    PresetController(ExperimentPresets presets) {
        this.presets = presets;
    }

    /**
     * All presets.
     *
     * @param items presets
     */
    record PresetList(List<PresetView> items) {}

    /**
     * A preset without its definitions.
     *
     * @param name name of the preset
     * @param title title of the preset
     * @param about description of the experiment
     * @param source papers that published the experiment
     * @param paper short name of the paper that has the published figures; null without any
     * @param scales scales by name, the default first: the fields that each sets, by dotted paths
     * @param published published figures
     */
    @Schema(name = "Preset")
    record PresetView(
            String name,
            String title,
            String about,
            List<String> source,
            @Nullable String paper,
            Map<String, Map<String, Object>> scales,
            List<PublishedFigure> published) {

        static PresetView of(ExperimentPreset preset) {
            Map<String, Map<String, Object>> scales = new LinkedHashMap<>();
            preset.scales()
                    .forEach((name, values) -> scales.put(name, new LinkedHashMap<>(values)));
            return new PresetView(
                    preset.name(),
                    preset.title(),
                    preset.about(),
                    preset.source(),
                    preset.paper(),
                    scales,
                    preset.published());
        }
    }

    /**
     * A preset at a scale.
     *
     * @param name name of the preset
     * @param scale name of the scale
     * @param definitions definitions to submit unchanged; all their runs are to be compared
     */
    record ScaledPreset(
            String name,
            String scale,
            @ArraySchema(schema = @Schema(implementation = Object.class))
                    List<? extends JsonNode> definitions) {}

    /**
     * Lists the presets: definitions of published experiments, without the definitions themselves.
     */
    @GetMapping("/presets")
    PresetList listPresets() {
        return new PresetList(presets.all().stream().map(PresetView::of).toList());
    }

    /**
     * Returns the definitions of a preset at a scale.
     *
     * @param name name of the preset
     * @param scale name of the scale; the default of the preset without it
     */
    @GetMapping("/presets/{name}")
    ScaledPreset getPreset(
            @PathVariable String name, @RequestParam(required = false) @Nullable String scale) {
        ExperimentPreset preset = presets.find(name);
        String chosen = scale == null ? preset.defaultScale() : scale;
        return new ScaledPreset(name, chosen, preset.at(chosen));
    }
}
