package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A source of definitions: a file or a preset.
 *
 * @param name a file, or a preset of the service
 * @param scale scale of the preset; null for its default scale
 */
record Source(String name, @Nullable String scale, Overrides overrides) {

    private static final Pattern PRESET = Pattern.compile("[A-Za-z0-9-]+");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    /**
     * Returns the definition of a file, or nothing if the name may be that of a preset.
     *
     * @throws UsageError if the file cannot be read, or the name is neither
     */
    Optional<ServiceApi.Document> fromFile() {
        Path file = Path.of(name);
        if (!Files.isRegularFile(file)) {
            if (!PRESET.matcher(name).matches()) {
                throw new UsageError("there is no file " + name);
            }
            return Optional.empty();
        }
        if (scale != null) {
            throw new UsageError("--scale applies to presets, and %s is a file".formatted(name));
        }
        return Optional.of(definition(file));
    }

    /**
     * Returns the definitions of a preset of the service.
     *
     * @throws UsageError if the service has no preset of that name, or not at that scale
     */
    List<ServiceApi.Document> fromPreset(ServiceApi api) {
        JsonNode preset = preset(api);
        String path = "presets/" + name;
        if (scale == null) {
            return definitions(api.get(path));
        }
        List<String> scales = List.copyOf(preset.path("scales").propertyNames());
        if (!scales.contains(scale)) {
            throw new UsageError("--scale must be one of %s, but was %s".formatted(scales, scale));
        }
        return definitions(api.get(path + "?scale=" + scale));
    }

    private List<ServiceApi.Document> definitions(JsonNode preset) {
        return preset.path("definitions").valueStream().map(this::overridden).toList();
    }

    /** Returns the published figures of a preset, one line each, to compare one's own with. */
    List<String> published(ServiceApi api) {
        JsonNode preset = preset(api);
        String paper = preset.path("paper").asString();
        return preset.path("published").valueStream().map(it -> published(it, paper)).toList();
    }

    private static String published(JsonNode figure, String paper) {
        return "Published: %s: %s (%s, %s)"
                .formatted(
                        figure.path("what").asString(),
                        FigureTable.published(figure),
                        paper,
                        figure.path("where").asString());
    }

    private JsonNode preset(ServiceApi api) {
        List<JsonNode> presets = api.get("presets").path("items").values().stream().toList();
        return presets.stream()
                .filter(preset -> preset.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new UsageError(
                                "there is no file %s and no preset of that name; the presets are %s"
                                        .formatted(
                                                name,
                                                presets.stream()
                                                        .map(it -> it.path("name").asString())
                                                        .collect(joining(", ")))));
    }

    /** Returns the text of a file unchanged, unless {@code --set} changes a field in it. */
    private ServiceApi.Document definition(Path file) {
        try {
            String text = Files.readString(file);
            return overrides.isEmpty()
                    ? new ServiceApi.Document(
                            name.endsWith(".json") ? "application/json" : "application/yaml", text)
                    : overridden(YAML.readTree(text));
        } catch (IOException unreadable) {
            throw new UsageError(
                    "%s cannot be read: %s".formatted(name, LabFailure.reason(unreadable)));
        } catch (JacksonException malformed) {
            throw new UsageError(
                    "%s is neither YAML nor JSON: %s"
                            .formatted(name, malformed.getOriginalMessage()));
        }
    }

    private ServiceApi.Document overridden(JsonNode definition) {
        if (!(definition instanceof ObjectNode object)) {
            throw new UsageError("%s must be an object".formatted(name));
        }
        return new ServiceApi.Document(
                "application/json", JSON.writeValueAsString(overrides.applied(object)));
    }
}
