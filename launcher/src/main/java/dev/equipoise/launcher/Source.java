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
 * Where definitions come from.
 *
 * @param name a file, or a preset of the service
 * @param scale of a preset; null for the usual one
 */
record Source(String name, @Nullable String scale, Overrides overrides) {

    private static final Pattern PRESET = Pattern.compile("[A-Za-z0-9-]+");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    /**
     * The definition of a file, or none where the name is that of a preset.
     *
     * @throws WrongInput where it cannot be read, or is neither
     */
    Optional<ServiceApi.Document> fromFile() {
        Path file = Path.of(name);
        if (!Files.isRegularFile(file)) {
            if (!PRESET.matcher(name).matches()) {
                throw new WrongInput("there is no file " + name);
            }
            return Optional.empty();
        }
        if (scale != null) {
            throw new WrongInput("--scale is for presets, and %s is a file".formatted(name));
        }
        return Optional.of(definition(file));
    }

    /**
     * The definitions of a preset of the service.
     *
     * @throws WrongInput where it has none of that name, or not at that scale
     */
    List<ServiceApi.Document> fromPreset(ServiceApi api) {
        JsonNode preset = preset(api);
        String path = "presets/" + name;
        if (scale == null) {
            return definitions(api.get(path));
        }
        List<String> scales = List.copyOf(preset.path("scales").propertyNames());
        if (!scales.contains(scale)) {
            throw new WrongInput("--scale must be one of %s, but was %s".formatted(scales, scale));
        }
        return definitions(api.get(path + "?scale=" + scale));
    }

    private List<ServiceApi.Document> definitions(JsonNode preset) {
        return preset.path("definitions").valueStream().map(this::overridden).toList();
    }

    /** What others found, a line for each figure, to stand beside one's own. */
    List<String> published(ServiceApi api) {
        return preset(api).path("published").valueStream().map(Source::published).toList();
    }

    private static String published(JsonNode figure) {
        JsonNode range = figure.path("range");
        return "Published: %s: %s %s (%s)"
                .formatted(
                        figure.path("what").asString(),
                        range.isArray()
                                ? range.path(0) + " to " + range.path(1)
                                : figure.path("value").toString(),
                        figure.path("unit").asString(),
                        figure.path("where").asString());
    }

    private JsonNode preset(ServiceApi api) {
        List<JsonNode> presets = api.get("presets").path("items").values().stream().toList();
        return presets.stream()
                .filter(preset -> preset.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new WrongInput(
                                "there is no file %s and no preset of that name; the presets are %s"
                                        .formatted(
                                                name,
                                                presets.stream()
                                                        .map(it -> it.path("name").asString())
                                                        .collect(joining(", ")))));
    }

    /** A file goes as it is, unless something is to be set in it. */
    private ServiceApi.Document definition(Path file) {
        try {
            String text = Files.readString(file);
            return overrides.isEmpty()
                    ? new ServiceApi.Document(
                            name.endsWith(".json") ? "application/json" : "application/yaml", text)
                    : overridden(YAML.readTree(text));
        } catch (IOException unreadable) {
            throw new WrongInput(
                    "%s cannot be read: %s".formatted(name, LabFailure.reason(unreadable)));
        } catch (JacksonException malformed) {
            throw new WrongInput(
                    "%s is neither YAML nor JSON: %s"
                            .formatted(name, malformed.getOriginalMessage()));
        }
    }

    private ServiceApi.Document overridden(JsonNode definition) {
        if (!(definition instanceof ObjectNode object)) {
            throw new WrongInput("%s must be an object".formatted(name));
        }
        return new ServiceApi.Document(
                "application/json", JSON.writeValueAsString(overrides.applied(object)));
    }
}
