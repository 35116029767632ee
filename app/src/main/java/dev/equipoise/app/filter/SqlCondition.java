package dev.equipoise.app.filter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Condition as SQL. Everything that a user has written is a bind parameter; the rest are
 * expressions of the field catalog.
 *
 * @param parameters values of the named parameters {@code :filter1}, {@code :filter2}, ...
 */
public record SqlCondition(String sql, Map<String, Object> parameters) {

    public SqlCondition {
        parameters = Map.copyOf(parameters);
    }

    public static SqlCondition of(Condition condition) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        String sql = new Translation(parameters).sql(condition);
        return new SqlCondition(sql, parameters);
    }

    private record Translation(Map<String, Object> parameters) {

        String sql(Condition condition) {
            return switch (condition) {
                case Condition.And(List<Condition> all) ->
                        all.isEmpty() ? "true" : joined(all, " and ");
                case Condition.Or(List<Condition> any) -> joined(any, " or ");
                case Condition.Not(Condition inner) -> negated(sql(inner));
                case Condition.Compared compared -> compared(compared);
                case Condition.OneOf(FilterField field, List<Literal> values) ->
                        oneOf(field, values);
                case Condition.Present(FilterField field) -> present(field);
            };
        }

        private String joined(List<Condition> some, String by) {
            return some.stream().map(this::sql).collect(Collectors.joining(by, "(", ")"));
        }

        /** Negates in two values: what is unknown to SQL counts as false. */
        private static String negated(String sql) {
            return "((%s) is not true)".formatted(sql);
        }

        private String compared(Condition.Compared it) {
            if (it.operator().isNegative()) {
                return negated(
                        compared(
                                new Condition.Compared(
                                        it.field(), it.operator().positive(), it.value())));
            }
            String value = bind(it.value().parameter());
            String field = expression(it.field());
            boolean isTags = it.field().type() == FieldType.TAGS;
            if (it.operator() == Operator.CONTAINS) {
                return isTags
                        ? "exists (select 1 from unnest(%s) as word where %s)"
                                .formatted(field, contains("word", value))
                        : contains(field, value);
            }
            return isTags
                    ? "%s = any(%s)".formatted(value, field)
                    : "%s %s %s".formatted(field, it.operator().symbol(), value);
        }

        private static String contains(String text, String part) {
            return "strpos(lower(%s), lower(%s)) > 0".formatted(text, part);
        }

        private String oneOf(FilterField field, List<Literal> values) {
            return joined(
                    values.stream()
                            .<Condition>map(it -> new Condition.Compared(field, Operator.EQUAL, it))
                            .toList(),
                    " or ");
        }

        private String present(FilterField field) {
            return field.type() == FieldType.TAGS
                    ? "cardinality(%s) > 0".formatted(expression(field))
                    : "%s is not null".formatted(expression(field));
        }

        private String expression(FilterField field) {
            return field.label() == null
                    ? field.expression()
                    : "(%s ->> %s)".formatted(field.expression(), bind(field.label()));
        }

        private String bind(Object value) {
            String name = "filter" + (parameters.size() + 1);
            parameters.put(name, value);
            return ":" + name;
        }
    }
}
