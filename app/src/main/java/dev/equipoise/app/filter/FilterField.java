package dev.equipoise.app.filter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Field by which a list is filtered.
 *
 * @param values the words of a choice; empty for other types
 * @param expression SQL expression of the value, a constant of the program and never input
 * @param label key in the JSON object that the expression is; null for a value of its own
 */
public record FilterField(
        String name,
        FieldType type,
        FieldOrigin origin,
        List<String> values,
        String expression,
        @Nullable String label) {

    public FilterField {
        values = List.copyOf(values);
    }

    /** Creates a field that is no choice. */
    public static FilterField of(
            String name, FieldType type, FieldOrigin origin, String expression) {
        return new FilterField(name, type, origin, List.of(), expression, null);
    }

    /** Creates a field that is one of some words. */
    public static FilterField choice(
            String name, FieldOrigin origin, List<String> values, String expression) {
        return new FilterField(name, FieldType.CHOICE, origin, values, expression, null);
    }

    /** Returns the field of one label, of a field that is a JSON object of texts. */
    FilterField at(String key) {
        return new FilterField(name + "." + key, type, origin, values, expression, key);
    }
}
