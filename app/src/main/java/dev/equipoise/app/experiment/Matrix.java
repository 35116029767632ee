package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The fields that a definition sweeps, each by its dotted path with the values that it takes. */
record Matrix(ObjectNode base, Map<String, List<JsonNode>> axes) {

    private static final String SEEDS = "seeds";
    private static final String MATRIX = "matrix";

    /**
     * One choice of a value for each axis.
     *
     * @param chosen the index of the value on each axis
     */
    record Combination(ObjectNode definition, Map<String, Integer> chosen) {

        /** Points into the matrix where the value at fault comes from it. */
        Violation locate(Violation violation) {
            for (Map.Entry<String, Integer> swept : chosen.entrySet()) {
                String target = "/" + swept.getKey().replace('.', '/');
                if (violation.pointer().equals(target)
                        || violation.pointer().startsWith(target + "/")) {
                    return new Violation(
                            pointer(swept) + violation.pointer().substring(target.length()),
                            violation.rule(),
                            violation.value());
                }
            }
            return violation;
        }

        private static String pointer(Map.Entry<String, Integer> swept) {
            return swept.getKey().equals("seed")
                    ? "/" + SEEDS + "/" + swept.getValue()
                    : "/" + MATRIX + "/" + Fields.escape(swept.getKey()) + "/" + swept.getValue();
        }
    }

    /** Takes matrix and seeds out of the definition; what is wrong with them is noted. */
    static Matrix read(JsonNode source, List<Violation> violations) {
        if (!source.isObject()) {
            violations.add(new Violation("", "must be an object", null));
            return new Matrix(JsonNodeFactory.instance.objectNode(), Map.of());
        }
        ObjectNode base = ((ObjectNode) source).deepCopy();
        Map<String, List<JsonNode>> axes = new LinkedHashMap<>();
        JsonNode matrix = base.path(MATRIX);
        if (matrix.isObject()) {
            matrix.properties()
                    .forEach(axis ->
                            addAxis(
                                    axes,
                                    axis.getKey(),
                                    axis.getValue(),
                                    "/" + MATRIX + "/" + Fields.escape(axis.getKey()),
                                    violations));
        } else if (!matrix.isMissingNode()) {
            violations.add(new Violation("/" + MATRIX, "must be an object of lists", null));
        }
        if (base.has(SEEDS)) {
            addAxis(axes, "seed", base.path(SEEDS), "/" + SEEDS, violations);
        }
        base.remove(List.of(MATRIX, SEEDS));
        return new Matrix(base, bounded(axes, violations));
    }

    private static void addAxis(
            Map<String, List<JsonNode>> axes,
            String path,
            JsonNode values,
            String pointer,
            List<Violation> violations) {
        if (!values.isArray() || values.isEmpty()) {
            violations.add(new Violation(pointer, "must be a list with at least one value", null));
        } else {
            axes.put(path, List.copyOf(values.values()));
        }
    }

    private static Map<String, List<JsonNode>> bounded(
            Map<String, List<JsonNode>> axes, List<Violation> violations) {
        double runs = axes.values().stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b);
        if (runs > Definition.MOST_CONFIGURATIONS) {
            violations.add(
                    new Violation(
                            "/" + MATRIX,
                            "must stand for at most %d runs"
                                    .formatted(Definition.MOST_CONFIGURATIONS),
                            runs));
            return Map.of();
        }
        return axes;
    }

    List<Combination> combinations() {
        List<Combination> combinations = List.of(new Combination(base, Map.of()));
        for (Map.Entry<String, List<JsonNode>> axis : axes.entrySet()) {
            List<Combination> longer = new ArrayList<>();
            for (Combination combination : combinations) {
                for (int index = 0; index < axis.getValue().size(); index++) {
                    longer.add(extend(combination, axis.getKey(), axis.getValue(), index));
                }
            }
            combinations = longer;
        }
        return combinations;
    }

    private static Combination extend(
            Combination combination, String path, List<JsonNode> values, int index) {
        ObjectNode definition = combination.definition().deepCopy();
        set(definition, path.split("\\."), values.get(index));
        Map<String, Integer> chosen = new LinkedHashMap<>(combination.chosen());
        chosen.put(path, index);
        return new Combination(definition, chosen);
    }

    /** A short form on the way, as in {@code partitioning: equal}, gives way to an object. */
    private static void set(ObjectNode definition, String[] path, JsonNode value) {
        ObjectNode parent = definition;
        for (int depth = 0; depth < path.length - 1; depth++) {
            JsonNode child = parent.path(path[depth]);
            parent = child instanceof ObjectNode object ? object : parent.putObject(path[depth]);
        }
        parent.set(path[path.length - 1], value);
    }
}
