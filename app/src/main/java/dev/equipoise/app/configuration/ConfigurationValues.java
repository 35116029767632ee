package dev.equipoise.app.configuration;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Single values of a run configuration by their dotted paths; a list is one value. Without the
 * name, and the digest that follows from {@code initial.run}. A choice that the service has not
 * made yet has the value {@code auto}.
 *
 * @param experiment name in the configuration; empty without one
 * @param byPath in the order of the configuration
 */
public record ConfigurationValues(String experiment, Map<String, String> byPath) {

    private static final String NAME = "name";
    private static final Set<String> LEFT_OUT = Set.of(NAME, "initial.digest");
    private static final String AUTOMATIC = "automatic";
    private static final String AUTO = "auto";

    public ConfigurationValues {
        byPath = Collections.unmodifiableMap(new LinkedHashMap<>(byPath));
    }

    /** Reads a run configuration as a tree. */
    public static ConfigurationValues of(JsonNode configuration) {
        Map<String, String> values = new LinkedHashMap<>();
        collect("", configuration, values);
        values.keySet().removeAll(LEFT_OUT);
        openChoices(configuration.path(AUTOMATIC)).forEach(it -> leaveOpen(it, values));
        return new ConfigurationValues(configuration.path(NAME).asString(""), values);
    }

    private static List<String> openChoices(JsonNode automatic) {
        return automatic.has("definition")
                ? automatic.path("choices").valueStream().map(JsonNode::stringValue).toList()
                : List.of();
    }

    /** Removes the valid values that stand in the place of a choice. */
    private static void leaveOpen(String path, Map<String, String> values) {
        String kind = path + ".kind";
        String field = values.containsKey(kind) ? kind : path;
        values.keySet().removeIf(it -> it.equals(path) || it.startsWith(path + "."));
        values.put(field, AUTO);
    }

    private static void collect(String prefix, JsonNode object, Map<String, String> values) {
        object.properties()
                .forEach(property -> {
                    String path = prefix + property.getKey();
                    JsonNode value = property.getValue();
                    if (!value.isObject()) {
                        values.put(path, value.isString() ? value.stringValue() : value.toString());
                    } else if (!path.equals(AUTOMATIC)) {
                        collect(path + ".", value, values);
                    }
                });
    }

    /** Returns the value at a path; null if the configuration has none. */
    public @Nullable String at(String path) {
        return byPath.get(path);
    }

    /** Returns the values without those at some paths. */
    public ConfigurationValues without(Set<String> paths) {
        Map<String, String> others = new LinkedHashMap<>(byPath);
        others.keySet().removeAll(paths);
        return new ConfigurationValues(experiment, others);
    }
}
