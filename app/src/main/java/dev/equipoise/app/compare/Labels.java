package dev.equipoise.app.compare;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * Labels configurations by the fields in which they differ from others of the same name, with the
 * name if there are several.
 */
final class Labels {

    private static final String NAME = "name";
    private static final String KIND = "kind";

    /** Field that follows from another one, {@code initial.run}. */
    private static final String DERIVED = "initial.digest";

    private Labels() {}

    /** Returns one label for each configuration; equal configurations have equal labels. */
    static List<String> of(List<JsonNode> configurations) {
        List<Map<String, String>> fields = configurations.stream().map(Labels::fields).toList();
        Map<String, List<Map<String, String>>> byName =
                fields.stream().collect(groupingBy(Labels::name, mapping(it -> it, toList())));
        return fields.stream()
                .map(own -> {
                    String differing = differing(own, byName.getOrDefault(name(own), List.of()));
                    if (differing.isEmpty()) {
                        return name(own);
                    }
                    return byName.size() == 1 ? differing : name(own) + ": " + differing;
                })
                .toList();
    }

    /** Tells whether a configuration has a value at a path. */
    static boolean hasField(JsonNode configuration, String path) {
        return fields(configuration).containsKey(path);
    }

    /** Returns the label of the value of one field; a dash stands for a missing one. */
    static String ofField(JsonNode configuration, String path) {
        return shortened(path) + "=" + fields(configuration).getOrDefault(path, "-");
    }

    private static String name(Map<String, String> fields) {
        return fields.getOrDefault(NAME, "");
    }

    private static String differing(Map<String, String> own, List<Map<String, String>> all) {
        return own.entrySet().stream()
                .filter(field -> differs(field.getKey(), all))
                .map(field -> shortened(field.getKey()) + "=" + field.getValue())
                .collect(joining(", "));
    }

    /**
     * Omits the field {@code kind}: {@code partitioning=equal} means the kind, as in a definition.
     */
    private static String shortened(String path) {
        String end = "." + KIND;
        return path.endsWith(end) ? path.substring(0, path.length() - end.length()) : path;
    }

    /**
     * Whether a field distinguishes configurations; a field that is missing because the kind
     * differs does not, since the kind does.
     */
    private static boolean differs(String path, List<Map<String, String>> all) {
        long values =
                all.stream().map(it -> it.get(path)).filter(Objects::nonNull).distinct().count();
        boolean isMissing = all.stream().anyMatch(it -> !it.containsKey(path));
        return values > 1 || (isMissing && !followsFromKind(path, all));
    }

    private static boolean followsFromKind(String path, List<Map<String, String>> all) {
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            String kind = path.substring(0, dot + 1) + KIND;
            if (!kind.equals(path)
                    && all.stream().map(it -> it.getOrDefault(kind, "")).distinct().count() > 1) {
                return true;
            }
        }
        return false;
    }

    /** Returns the values of all fields by their dotted paths; a list is one value. */
    private static Map<String, String> fields(JsonNode configuration) {
        Map<String, String> fields = new LinkedHashMap<>();
        collect("", configuration, fields);
        fields.remove(DERIVED);
        return fields;
    }

    private static void collect(String prefix, JsonNode object, Map<String, String> fields) {
        object.properties()
                .forEach(property -> {
                    String path = prefix + property.getKey();
                    JsonNode value = property.getValue();
                    if (value.isObject()) {
                        collect(path + ".", value, fields);
                    } else {
                        fields.put(path, value.isString() ? value.stringValue() : value.toString());
                    }
                });
    }
}
