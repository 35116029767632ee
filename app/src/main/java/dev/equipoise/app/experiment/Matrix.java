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

/** The fields that a definition sweeps, each by its dotted path. */
record Matrix(ObjectNode base, Map<String, Axis> axes) {

    private static final String SEEDS = "seeds";
    private static final String MATRIX = "matrix";

    /**
     * More than any field needs; with the next, less than makes an object too deep to be written.
     */
    private static final int MOST_SEGMENTS = 8;

    /** Lists and objects within one another in one value: again more than any field needs. */
    private static final int MOST_DEPTH = 16;

    /**
     * The values of one field.
     *
     * @param pointer where the list of the values stands in the source
     */
    record Axis(String pointer, List<JsonNode> values) {

        int size() {
            return values.size();
        }

        /** Characters of the longest. */
        int longest() {
            return values.stream().mapToInt(value -> value.toString().length()).max().orElse(0);
        }

        Axis first() {
            return new Axis(pointer, values.subList(0, 1));
        }
    }

    /**
     * One choice of a value for each axis.
     *
     * @param chosen where the value of each swept path stands in the source
     */
    record Combination(ObjectNode definition, Map<String, String> chosen) {

        /**
         * Points into the matrix where the value at fault comes from it, or where its path leads
         * through something that is not an object.
         */
        Violation locate(Violation violation) {
            for (Map.Entry<String, String> swept : chosen.entrySet()) {
                String target = "/" + Fields.escape(swept.getKey()).replace('.', '/');
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
     * Takes matrix and seeds out of the definition, and its priority, which is none of a run's
     * configuration; what is wrong with the former is noted.
     */
    static Matrix read(JsonNode source, List<Violation> violations) {
        if (!source.isObject()) {
            violations.add(new Violation("", "must be an object", null));
            return new Matrix(JsonNodeFactory.instance.objectNode(), Map.of());
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
        base.remove(List.of(MATRIX, SEEDS, Priority.FIELD));
        return new Matrix(base, bounded(base, axes, violations));
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
                            "must be the path of a field, of at most %d names with dots between"
                                    .formatted(MOST_SEGMENTS),
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
            if (!fits(values.path(index), MOST_DEPTH)) {
                shallow = false;
                violations.add(
                        new Violation(
                                pointer + "/" + index,
                                "must be nested at most %d deep".formatted(MOST_DEPTH),
                                Fields.plain(values.path(index))));
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
        return names.size() <= MOST_SEGMENTS && names.stream().noneMatch(String::isEmpty);
    }

    private static String[] segments(String path) {
        return path.split("\\.", -1);
    }

    /** Where the runs are too many or too large, only the first of them is looked at. */
    private static Map<String, Axis> bounded(
            ObjectNode base, Map<String, Axis> axes, List<Violation> violations) {
        double runs = axes.values().stream().mapToDouble(Axis::size).reduce(1, (a, b) -> a * b);
        double characters =
                runs
                        * (base.toString().length()
                                + axes.values().stream().mapToDouble(Axis::longest).sum());
        if (runs > Definition.MOST_CONFIGURATIONS) {
            violations.add(
                    new Violation(
                            "/" + MATRIX,
                            "must stand for at most %d runs"
                                    .formatted(Definition.MOST_CONFIGURATIONS),
                            runs));
        } else if (characters > Definition.MOST_CHARACTERS) {
            violations.add(
                    new Violation(
                            "",
                            "must have at most %d characters with all runs written out"
                                    .formatted(Definition.MOST_CHARACTERS),
                            (long) characters));
        } else {
            return axes;
        }
        axes.replaceAll((_, axis) -> axis.first());
        return axes;
    }

    /** Made one at a time, as each is a copy of the whole definition; the last axis is fastest. */
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
     * Sets a field; a short form on the way, as in {@code partitioning: functional}, is written
     * out.
     */
    static void set(ObjectNode definition, String dotted, JsonNode value) {
        String[] path = segments(dotted);
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
