package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.Violation;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Which of a project's runs go first. It is no part of a configuration: runs that differ by it
 * alone do the same.
 */
public final class Priority {

    public static final int LEAST = -100;
    public static final int MOST = 100;

    static final String FIELD = "priority";
    private static final int DEFAULT = 0;

    private Priority() {}

    /** What a definition says of it; what is wrong is noted. */
    static int read(JsonNode definition, List<Violation> violations) {
        return definition.isObject()
                ? Fields.of(definition, violations).integer(FIELD, DEFAULT, LEAST, MOST)
                : DEFAULT;
    }
}
