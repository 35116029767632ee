package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.Violation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

        /**
         * Points into the matrix where the value at fault comes from it, or where its path leads
         * through something that is not an object.
         */
        Violation locate(Violation violation) {
            for (Map.Entry<String, Integer> swept : chosen.entrySet()) {
                String target = "/" + Fields.escape(swept.getKey()).replace('.', '/');
                String pointer = violation.pointer();
                if (pointer.equals(target) || pointer.startsWith(target + "/")) {
                    return new Violation(
                            pointer(swept) + pointer.substring(target.length()),
                            violation.rule(),
                            violation.value());
                }
                if (target.startsWith(pointer + "/")) {
                    return new Violation(pointer(swept), violation.rule(), violation.value());
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
            if (axes.containsKey("seed")) {
                violations.add(
                        new Violation("/" + SEEDS, "must not stand beside /matrix/seed", null));
            }
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
            axes.replaceAll((_, values) -> values.subList(0, 1));
        }
        return axes;
    }

    /** Made one at a time, as each is a copy of the whole definition; the last axis is fastest. */
    Stream<Combination> combinations() {
        return IntStream.range(0, count()).mapToObj(this::combination);
    }

    private int count() {
        return axes.values().stream().mapToInt(List::size).reduce(1, (a, b) -> a * b);
    }

    private Combination combination(int number) {
        ObjectNode definition = base.deepCopy();
        Map<String, Integer> chosen = new LinkedHashMap<>();
        int block = count();
        for (Map.Entry<String, List<JsonNode>> axis : axes.entrySet()) {
            List<JsonNode> values = axis.getValue();
            block /= values.size();
            int index = number / block % values.size();
            set(definition, axis.getKey().split("\\.", -1), values.get(index));
            chosen.put(axis.getKey(), index);
        }
        return new Combination(definition, chosen);
    }

    /** A short form on the way, as in {@code partitioning: functional}, is written out. */
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
