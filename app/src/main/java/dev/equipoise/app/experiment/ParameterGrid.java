package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.Violation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The parameter grid of a definition: the fields that vary, by dotted paths. */
record ParameterGrid(ObjectNode base, Map<String, Axis> axes) {

    private static final String SEEDS = "seeds";
    private static final String MATRIX = "matrix";
    static final String PRIORITY = "priority";

    /** The fields of a definition that are not part of a run configuration. */
    static final Set<String> FIELDS = Set.of(MATRIX, PRIORITY, SEEDS);

    /** The maximum number of runs of one definition. */
    static final int MAX_CONFIGURATIONS = 1000;

    /**
     * The maximum number of characters of all run configurations together: some thousand for each
     * of the maximum number of runs, several times what a configuration needs.
     */
    static final int MAX_CHARACTERS = 4 << 20;

    /**
     * The maximum number of names in a path: more than any field needs, and few enough that set
     * objects can be serialized.
     */
    private static final int MAX_SEGMENTS = 8;

    /** The maximum nesting depth of a value: more than any field needs. */
    private static final int MAX_DEPTH = 16;

    /**
     * The values of one field.
     *
     * @param pointer to the list of values in the definition
     */
    record Axis(String pointer, List<JsonNode> values) {

        int size() {
            return values.size();
        }

        /** Returns the number of characters of the longest value. */
        int longest() {
            return values.stream().mapToInt(value -> value.toString().length()).max().orElse(0);
        }

        Axis first() {
            return new Axis(pointer, values.subList(0, 1));
        }
    }

    /**
     * One combination of values.
     *
     * @param chosen the pointer to the value of each varied path in the definition
     */
    record Combination(ObjectNode definition, Map<String, String> chosen) {

        /**
         * Moves a violation to the value in the grid that causes it, or whose path leads through
         * something that is not an object.
         */
        Violation locate(Violation violation) {
            for (Map.Entry<String, String> swept : chosen.entrySet()) {
                String target = "/" + JsonFieldReader.escape(swept.getKey()).replace('.', '/');
                String pointer = violation.pointer();
                if (pointer.equals(target) || pointer.startsWith(target + "/")) {
                    return new Violation(
                            swept.getValue() + pointer.substring(target.length()),
                            violation.rule(),
                            violation.value());
                }
                if (target.startsWith(pointer + "/")) {
                    return new Violation(swept.getValue(), violation.rule(), violation.value());
                }
            }
            return violation;
        }
    }

    /**
     * Splits a definition into its grid and the rest, without the priority, which is not part of a
     * run configuration. Reports violations of the grid.
     */
    static ParameterGrid read(JsonNode source, List<Violation> violations) {
        if (!source.isObject()) {
            violations.add(new Violation("", "must be an object", null));
            return new ParameterGrid(JsonNodeFactory.instance.objectNode(), Map.of());
        }
        ObjectNode base = ((ObjectNode) source).deepCopy();
        Map<String, Axis> axes = new LinkedHashMap<>();
        JsonNode matrix = base.path(MATRIX);
        if (matrix.isObject()) {
            matrix.properties()
                    .forEach(axis ->
                            addAxis(
                                    axes,
                                    axis.getKey(),
                                    axis.getValue(),
                                    "/" + MATRIX + "/" + JsonFieldReader.escape(axis.getKey()),
                                    violations));
        } else if (!matrix.isMissingNode()) {
            violations.add(new Violation("/" + MATRIX, "must be an object of lists", null));
        }
        if (base.has(SEEDS)) {
            if (axes.containsKey("seed")) {
                violations.add(
                        new Violation("/" + SEEDS, "must not be given with /matrix/seed", null));
            }
            addAxis(axes, "seed", base.path(SEEDS), "/" + SEEDS, violations);
        }
        base.remove(List.of(MATRIX, SEEDS, PRIORITY));
        return new ParameterGrid(base, bounded(base, axes, violations));
    }

    private static void addAxis(
            Map<String, Axis> axes,
            String path,
            JsonNode values,
            String pointer,
            List<Violation> violations) {
        if (!isPath(path)) {
            violations.add(
                    new Violation(
                            pointer,
                            "must be the path of a field: at most %d names separated by dots"
                                    .formatted(MAX_SEGMENTS),
                            null));
        } else if (!values.isArray() || values.isEmpty()) {
            violations.add(new Violation(pointer, "must be a list with at least one value", null));
        } else if (areShallow(values, pointer, violations)) {
            axes.put(path, new Axis(pointer, List.copyOf(values.values())));
        }
    }

    private static boolean areShallow(JsonNode values, String pointer, List<Violation> violations) {
        boolean shallow = true;
        for (int index = 0; index < values.size(); index++) {
            if (!fits(values.path(index), MAX_DEPTH)) {
                shallow = false;
                violations.add(
                        new Violation(
                                pointer + "/" + index,
                                "must be nested at most %d deep".formatted(MAX_DEPTH),
                                JsonFieldReader.plain(values.path(index))));
            }
        }
        return shallow;
    }

    private static boolean fits(JsonNode value, int depth) {
        return !value.isContainer()
                || (depth > 0 && value.valueStream().allMatch(child -> fits(child, depth - 1)));
    }

    private static boolean isPath(String path) {
        List<String> names = List.of(segments(path));
        return names.size() <= MAX_SEGMENTS && names.stream().noneMatch(String::isEmpty);
    }

    private static String[] segments(String path) {
        return path.split("\\.", -1);
    }

    /** Returns only the first values if the runs are too many or too large. */
    private static Map<String, Axis> bounded(
            ObjectNode base, Map<String, Axis> axes, List<Violation> violations) {
        double runs = axes.values().stream().mapToDouble(Axis::size).reduce(1, (a, b) -> a * b);
        double characters =
                runs
                        * (base.toString().length()
                                + axes.values().stream().mapToDouble(Axis::longest).sum());
        if (runs > MAX_CONFIGURATIONS) {
            violations.add(
                    new Violation(
                            "/" + MATRIX,
                            "must stand for at most %d runs".formatted(MAX_CONFIGURATIONS),
                            runs));
        } else if (characters > MAX_CHARACTERS) {
            violations.add(
                    new Violation(
                            "",
                            "must have at most %d characters in all run configurations together"
                                    .formatted(MAX_CHARACTERS),
                            (long) characters));
        } else {
            return axes;
        }
        axes.replaceAll((_, axis) -> axis.first());
        return axes;
    }

    /**
     * Returns the combinations, created one at a time, since each is a copy of the whole
     * definition; the last field varies fastest.
     */
    Stream<Combination> combinations() {
        return IntStream.range(0, count()).mapToObj(this::combination);
    }

    private int count() {
        return axes.values().stream().mapToInt(Axis::size).reduce(1, (a, b) -> a * b);
    }

    private Combination combination(int number) {
        ObjectNode definition = base.deepCopy();
        Map<String, String> chosen = new LinkedHashMap<>();
        int block = count();
        for (Map.Entry<String, Axis> swept : axes.entrySet()) {
            Axis axis = swept.getValue();
            block /= axis.size();
            int index = number / block % axis.size();
            set(definition, swept.getKey(), axis.values().get(index));
            chosen.put(swept.getKey(), axis.pointer() + "/" + index);
        }
        return new Combination(definition, chosen);
    }

    /**
     * Sets a field; an abbreviation on the way, as in {@code partitioning: functional}, becomes an
     * object.
     */
    static void set(ObjectNode definition, String dotted, JsonNode value) {
        String[] path = segments(dotted);
        ObjectNode parent = definition;
        for (int depth = 0; depth < path.length - 1; depth++) {
            parent = enter(parent, path[depth]);
        }
        parent.set(path[path.length - 1], value);
    }

    /** Returns the object of a field, which becomes one if it is none yet. */
    private static ObjectNode enter(ObjectNode parent, String name) {
        JsonNode child = parent.path(name);
        if (child instanceof ObjectNode object) {
            return object;
        }
        ObjectNode created = parent.putObject(name);
        if (child.isString()) {
            created.set("kind", child);
        }
        return created;
    }
}
