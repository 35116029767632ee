package dev.equipoise.app.run;

import dev.equipoise.app.filter.FieldType;
import dev.equipoise.app.filter.FilterField;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sort order of a list of runs. Runs without a value of the field come last in both directions;
 * ties follow the order of the experiment.
 */
record RunOrder(FilterField by, boolean isDescending) {

    static final RunOrder DEFAULT = new RunOrder(RunFields.QUEUED_AT, true);

    private static final Set<FieldType> UNSORTED = Set.of(FieldType.ID, FieldType.TAGS);

    /** Characters of a text that count, so that a cursor stays short. */
    private static final int TEXT = 60;

    static boolean isSortable(FilterField field) {
        return !UNSORTED.contains(field.type()) && field.label() == null;
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
        String name = isDescending ? text.substring(1) : text;
        FilterField field =
                RunFields.CATALOG
                        .find(name)
                        .orElseThrow(() -> rejected(RunFields.CATALOG.unknown(name), text));
        if (!isSortable(field)) {
            throw rejected("must be a field that is neither an id nor a set of tags", text);
        }
        return new RunOrder(field, isDescending);
    }

    private static Problem rejected(String rule, String text) {
        return Problem.of(ErrorCode.INVALID_REQUEST, List.of(new Violation("?sort", rule, text)));
    }

    /** Returns the name of the field, after a minus sign for descending order. */
    String label() {
        return isDescending ? "-" + by.name() : by.name();
    }

    /** Returns the SQL expression of the sort key. */
    String key() {
        return switch (by.type()) {
            case TIME -> by.expression();
            case NUMBER, DURATION -> "%s::float8".formatted(by.expression());
            case BOOLEAN -> "%s::int::float8".formatted(by.expression());
            case TEXT, CHOICE, TAGS, ID ->
                    "left(%s, %d) collate \"C\"".formatted(by.expression(), TEXT);
        };
    }

    /** Returns the SQL list by which runs are sorted; that of the default order has an index. */
    String list() {
        return "%s %s nulls last, position, run_id".formatted(key(), isDescending ? "desc" : "asc");
    }

    /**
     * Returns the SQL condition of the runs after a position.
     *
     * @param isAtNull whether the run at the position has no key
     */
    String after(boolean isAtNull) {
        String tie = "(position, run_id) > (:position, :id)";
        if (isAtNull) {
            return "%s is null and %s".formatted(key(), tie);
        }
        String beyond = "%s %s :key".formatted(key(), isDescending ? "<" : ">");
        String from = "%s %s :key".formatted(key(), isDescending ? "<=" : ">=");
        // Every run has been queued: the index of the default order is read from the key on.
        return by.equals(RunFields.QUEUED_AT)
                ? "%s and (%s or %s)".formatted(from, beyond, tie)
                : "(%s or %s or %s is null)"
                        .formatted(beyond, "(%s and %s)".formatted(from, tie), key());
    }

    /**
     * Reads a sort key from the text of a cursor.
     *
     * @throws RuntimeException if it is none
     */
    Object key(String text) {
        return switch (by.type()) {
            case TIME -> Instant.parse(text).atOffset(ZoneOffset.UTC);
            case NUMBER, DURATION, BOOLEAN -> Double.parseDouble(text);
            case TEXT, CHOICE, TAGS, ID -> text;
        };
    }
}
