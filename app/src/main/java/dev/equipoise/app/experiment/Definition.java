package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A definition as its author wrote it, and the run configurations that its matrix and its seeds
 * expand to: all combinations, the seeds varying fastest.
 *
 * @param priority of these runs among those of their project
 */
public record Definition(
        String name, int priority, JsonNode source, List<RunConfiguration> configurations) {

    /** The largest number of runs that one definition may stand for. */
    static final int MOST_CONFIGURATIONS = 1000;

    /**
     * The most characters that all runs of one definition may have together, each written out: some
     * thousand for each of the most runs, several times what one needs.
     */
    static final int MOST_CHARACTERS = 4 << 20;

    /** No answer tells of more. */
    private static final int MOST_VIOLATIONS = 100;

    /**
     * Reads and checks a definition as a whole.
     *
     * @throws Problem {@code invalid-definition} with everything that is wrong
     */
    public static Definition read(JsonNode source) {
        List<Violation> violations = new ArrayList<>();
        Matrix matrix = Matrix.read(source, violations);
        int priority = Priority.read(source, violations);
        Set<Violation> all = new LinkedHashSet<>(violations);
        List<RunConfiguration> configurations = new ArrayList<>();
        matrix.combinations()
                .takeWhile(_ -> source.isObject() && all.size() < MOST_VIOLATIONS)
                .forEach(combination -> {
                    List<Violation> own = new ArrayList<>();
                    configurations.add(ConfigurationReader.read(combination.definition(), own));
                    own.forEach(violation -> all.add(combination.locate(violation)));
                });
        if (!all.isEmpty()) {
            throw Problem.of(
                    ErrorCode.INVALID_DEFINITION, all.stream().limit(MOST_VIOLATIONS).toList());
        }
        return new Definition(
                configurations.getFirst().name(), priority, source, List.copyOf(configurations));
    }

    /** The first of what a definition stands for, with matrix and seeds taken out of it. */
    public static ObjectNode first(JsonNode source) {
        return Matrix.read(source, new ArrayList<>())
                .combinations()
                .findFirst()
                .orElseThrow()
                .definition();
    }

    /**
     * What a definition in which nothing is swept becomes with other values in some of its fields.
     *
     * @param values by dotted paths
     * @return empty where the definition would be refused
     */
    public static Optional<RunConfiguration> variant(
            ObjectNode definition, Map<String, JsonNode> values) {
        ObjectNode copy = definition.deepCopy();
        values.forEach((path, value) -> Matrix.set(copy, path, value));
        List<Violation> violations = new ArrayList<>();
        RunConfiguration read = ConfigurationReader.read(copy, violations);
        return violations.isEmpty() ? Optional.of(read) : Optional.empty();
    }
}
