package dev.equipoise.app.run;

import dev.equipoise.app.filter.Condition;
import dev.equipoise.app.filter.FieldOrigin;
import dev.equipoise.app.filter.FieldType;
import dev.equipoise.app.filter.FilterField;
import dev.equipoise.app.filter.FilterParser;
import dev.equipoise.app.filter.Operator;
import dev.equipoise.app.problem.Problem;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Parses filters of runs, and describes their fields. */
@Component
class RunFilters {

    private final Clock clock;

    RunFilters(Clock clock) {
        this.clock = clock;
    }

    /**
     * Field by which runs are filtered.
     *
     * @param name full name: an attribute, a result, or the path of a value in the configuration
     * @param aliases other names that filters may use
     * @param type type of its values
     * @param origin source of its values
     * @param values words of a choice; empty for other types
     * @param operators comparisons with a value
     * @param sortable whether lists can be sorted by it
     */
    record RunField(
            String name,
            List<String> aliases,
            FieldType type,
            FieldOrigin origin,
            List<String> values,
            List<String> operators,
            boolean sortable) {

        static RunField of(FilterField field) {
            return new RunField(
                    field.name(),
                    RunFields.CATALOG.aliases(field),
                    field.type(),
                    field.origin(),
                    field.values(),
                    field.type().operators().stream().map(Operator::symbol).toList(),
                    RunOrder.isSortable(field));
        }
    }

    /**
     * Parses a filter.
     *
     * @param pointer place of the text in the request
     * @return null if the text is null or blank
     * @throws Problem {@code invalid-request} with the places of all violations
     */
    @Nullable Condition parse(String pointer, @Nullable String text) {
        return FilterParser.parseIfPresent(pointer, text, RunFields.CATALOG, clock.instant());
    }

    List<RunField> fields() {
        return RunFields.CATALOG.all().stream().map(RunField::of).toList();
    }
}
