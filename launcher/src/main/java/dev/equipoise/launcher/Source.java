package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A source of definitions: a file or a preset.
 *
 * @param name a file, or a preset of the service
 * @param scale scale of the preset; null for its default scale
 */
public record Source(String name, @Nullable String scale, Overrides overrides) {

    private static final Pattern PRESET = Pattern.compile("[A-Za-z0-9-]+");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * Returns the definition of a file, or nothing if the name may be that of a preset.
     *
     * @throws UsageError if the file cannot be read or parsed, or the name is neither
     */
    public Optional<ServiceApi.Document> fromFile() {
        Path file = Path.of(name);
        boolean mayBePreset = PRESET.matcher(name).matches();
        if (mayBePreset && !Files.isRegularFile(file)) {
            return Optional.empty();
        }
        if (!Files.exists(file)) {
            throw new UsageError("there is no file " + name);
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
    public List<ServiceApi.Document> fromPreset(ServiceApi api) {
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
                                "there is no file %s and no preset of that name%s; the presets are %s"
                                        .formatted(
                                                name,
                                                Files.isDirectory(Path.of(name))
                                                        ? ", but a folder"
                                                        : "",
                                                presets.stream()
                                                        .map(it -> it.path("name").asString())
                                                        .collect(joining(", ")))));
    }

    /** Returns the text of a file unchanged, unless {@code --set} changes a field in it. */
    private ServiceApi.Document definition(Path file) {
        var source = new UserFile(file);
        UserFile.Content content = source.read();
        return overrides.isEmpty()
                ? new ServiceApi.Document(
                        source.isJson() ? "application/json" : "application/yaml", content.text())
                : overridden(content.tree());
    }

    private ServiceApi.Document overridden(JsonNode definition) {
        if (!(definition instanceof ObjectNode object)) {
            throw new UsageError("%s must be an object".formatted(name));
        }
        return new ServiceApi.Document(
                "application/json", JSON.writeValueAsString(overrides.applied(object)));
    }
}
