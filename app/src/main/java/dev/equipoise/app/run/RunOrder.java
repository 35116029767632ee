package dev.equipoise.app.run;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sort order of a list of runs. Runs without the figure come last in both directions; ties follow
 * the order of the experiment.
 */
record RunOrder(Field by, boolean isDescending) {

    static final RunOrder DEFAULT = new RunOrder(Field.QUEUED_AT, true);

    /** Sort key, a column or an expression of PostgreSQL. */
    enum Field {
        QUEUED_AT("queuedAt", "extract(epoch from queued_at)::float8"),
        STARTED_AT("startedAt", "extract(epoch from started_at)::float8"),
        ENDED_AT("endedAt", "extract(epoch from ended_at)::float8"),
        EPOCH_SECONDS("epochSeconds", "(measured ->> 'epochSeconds')::float8"),
        TEST_ACCURACY("testAccuracy", "(measured ->> 'testAccuracy')::float8"),
        TEST_LOSS("testLoss", "(measured ->> 'testLoss')::float8");

        private final String label;
        private final String expression;

        Field(String label, String expression) {
            this.label = label;
            this.expression = expression;
        }

        private static List<String> labels() {
            return Arrays.stream(values()).map(it -> it.label).toList();
        }
    }

    /**
     * Reads the name of a field, after a minus sign for descending order.
     *
     * @throws Problem {@code invalid-request} if there is no such field
     */
    static RunOrder of(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return DEFAULT;
        }
        boolean isDescending = text.startsWith("-");
        String label = isDescending ? text.substring(1) : text;
        return Arrays.stream(Field.values())
                .filter(it -> it.label.equals(label))
                .findFirst()
                .map(field -> new RunOrder(field, isDescending))
                .orElseThrow(() ->
                        Problem.of(
                                ErrorCode.INVALID_REQUEST,
                                List.of(
                                        new Violation(
                                                "?sort",
                                                "must be one of %s, or one of them after a minus sign"
                                                        .formatted(Field.labels()),
                                                text))));
    }

    /** Returns the SQL expression of a number that ascends along the list. */
    String key() {
        return isDescending
                ? "coalesce(-(%s), 'infinity')".formatted(by.expression)
                : "coalesce(%s, 'infinity')".formatted(by.expression);
    }

    String label() {
        return isDescending ? "-" + by.label : by.label;
    }
}
