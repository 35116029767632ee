package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Priority;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A definition as written, and its run configurations: all combinations of its parameter grid and
 * its seeds, with the seeds varying fastest.
 *
 * @param priority of its runs within their project
 */
public record Definition(
        String name, int priority, JsonNode source, List<RunConfiguration> configurations) {

    /** The maximum number of violations in a response. */
    private static final int MAX_VIOLATIONS = 100;

    /**
     * Reads and checks a whole definition.
     *
     * @throws Problem {@code invalid-definition} with all violations
     */
    public static Definition read(JsonNode source) {
        List<Violation> violations = new ArrayList<>();
        ParameterGrid matrix = ParameterGrid.read(source, violations);
        int priority = priority(source, violations);
        Set<Violation> all = new LinkedHashSet<>(violations);
        List<RunConfiguration> configurations = new ArrayList<>();
        matrix.combinations()
                .takeWhile(_ -> source.isObject() && all.size() < MAX_VIOLATIONS)
                .forEach(combination -> {
                    List<Violation> own = new ArrayList<>();
                    configurations.add(AutomaticReader.read(combination.definition(), own));
                    own.forEach(violation -> all.add(combination.locate(violation)));
                });
        if (!all.isEmpty()) {
            throw Problem.of(
                    ErrorCode.INVALID_DEFINITION, all.stream().limit(MAX_VIOLATIONS).toList());
        }
        return new Definition(
                configurations.getFirst().name(), priority, source, List.copyOf(configurations));
    }

    /** Returns the first combination of a definition, without grid and seeds. */
    public static ObjectNode first(JsonNode source) {
        return ParameterGrid.read(source, new ArrayList<>())
                .combinations()
                .findFirst()
                .orElseThrow()
                .definition();
    }

    private static int priority(JsonNode source, List<Violation> violations) {
        return source.isObject()
                ? JsonFieldReader.of(source, violations)
                        .integer(
                                ParameterGrid.PRIORITY,
                                Priority.DEFAULT,
                                Priority.MIN,
                                Priority.MAX)
                : Priority.DEFAULT;
    }
}
