package dev.equipoise.launcher;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Fields of a definition that the command line sets, by their dotted paths. */
public record Overrides(Map<String, JsonNode> values) {

    /** A value that needs no quotes, as in YAML, unless it is JSON, such as a number. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_./-]+");

    /**
     * Parses texts such as {@code training.epochs=2}.
     *
     * @throws UsageError that lists every malformed text
     */
    static Overrides of(List<String> texts, JsonMapper json) {
        Map<String, JsonNode> values = new LinkedHashMap<>();
        List<String> wrong =
                texts.stream()
                        .filter(text -> !read(text, values, json))
                        .map(Overrides::rule)
                        .toList();
        if (!wrong.isEmpty()) {
            throw new UsageError(wrong);
        }
        return new Overrides(values);
    }

    private static String rule(String text) {
        return "--set must be a field path, =, and a word or a JSON value, such as a=b or"
                + " 'a=\"two words\"', but was "
                + text;
    }

    private static boolean read(String text, Map<String, JsonNode> values, JsonMapper json) {
        int equals = text.indexOf('=');
        String path = text.substring(0, Math.max(0, equals));
        JsonNode value = equals < 0 ? null : value(text.substring(equals + 1), json);
        if (value == null || List.of(path.split("\\.", -1)).contains("")) {
            return false;
        }
        values.put(path, value);
        return true;
    }

    private static @Nullable JsonNode value(String text, JsonMapper json) {
        try {
            JsonNode value = json.readTree(text);
            return value.isMissingNode() ? null : value;
        } catch (JacksonException noJson) {
            return WORD.matcher(text).matches() ? StringNode.valueOf(text) : null;
        }
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /**
     * Returns a copy of the definition with the fields set.
     *
     * @throws UsageError if the definition sweeps one of them, so that setting it has no effect
     */
    ObjectNode applied(ObjectNode definition) {
        ObjectNode copy = definition.deepCopy();
        values.forEach((path, value) -> {
            requireNotSwept(definition, path);
            set(copy, path.split("\\."), value);
        });
        return copy;
    }

    private void requireNotSwept(ObjectNode definition, String path) {
        boolean bySeeds = path.equals("seed") && definition.has("seeds");
        boolean byMatrix =
                definition.path("matrix").propertyNames().stream()
                        .anyMatch(swept -> path.equals(swept) || path.startsWith(swept + "."));
        if ((byMatrix && !values.containsKey("matrix"))
                || (bySeeds && !values.containsKey("seeds"))) {
            throw new UsageError(
                    "--set %s has no effect because the definition sweeps it; set %s instead"
                            .formatted(path, bySeeds ? "seeds" : "matrix"));
        }
    }

    /**
     * Sets a field; a short form on its path, such as {@code partitioning: functional}, is
     * expanded.
     */
    private static void set(ObjectNode definition, String[] path, JsonNode value) {
        ObjectNode parent = definition;
        for (int depth = 0; depth < path.length - 1; depth++) {
            JsonNode child = parent.path(path[depth]);
            if (child instanceof ObjectNode object) {
                parent = object;
            } else {
                parent = parent.putObject(path[depth]);
                if (child.isString()) {
                    parent.set("kind", child);
                }
            }
        }
        parent.set(path[path.length - 1], value);
    }
}
