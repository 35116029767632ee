package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An experiment that comes with the service, with one definition, or several if no parameter grid
 * covers all runs to compare.
 *
 * @param scales by name, the default first: values that override fields of each definition, by
 *     dotted paths
 * @param definitions without the values of a scale
 */
record ExperimentPreset(
        String name,
        String title,
        String about,
        List<String> source,
        List<PublishedFigure> published,
        Map<String, Map<String, JsonNode>> scales,
        List<ObjectNode> definitions) {

    /**
     * The content of a preset's file.
     *
     * @param about a description of some sentences
     * @param source the papers that it follows
     * @param experiment the definition, or the common part of several
     * @param experiments the differences of several definitions from the common part, by dotted
     *     paths
     */
    record File(
            String title,
            String about,
            List<String> source,
            @Nullable List<PublishedFigure> published,
            Map<String, Map<String, JsonNode>> scales,
            @Nullable ObjectNode experiment,
            @Nullable List<Map<String, JsonNode>> experiments) {

        List<ObjectNode> definitions() {
            ObjectNode common =
                    experiment == null ? JsonNodeFactory.instance.objectNode() : experiment;
            return experiments == null
                    ? List.of(common)
                    : experiments.stream().map(own -> withValues(common, own)).toList();
        }
    }

    /**
     * A published figure to compare measurements with.
     *
     * @param value either this or the range is present
     * @param range minimum and maximum
     * @param where the place in the source
     */
    record PublishedFigure(
            String what,
            @Nullable Double value,
            @Nullable List<Double> range,
            String unit,
            String where) {

        PublishedFigure {
            if ((value == null) == (range == null) || (range != null && range.size() != 2)) {
                throw new IllegalArgumentException(
                        "%s must have either a value or a range of two numbers".formatted(what));
            }
        }
    }

    ExperimentPreset {
        source = List.copyOf(source);
        published = List.copyOf(published);
        scales = Collections.unmodifiableMap(new LinkedHashMap<>(scales));
        definitions = List.copyOf(definitions);
        if (scales.isEmpty()) {
            throw new IllegalArgumentException("a preset must have a scale");
        }
    }

    static ExperimentPreset of(String name, File file) {
        return new ExperimentPreset(
                name,
                file.title(),
                file.about(),
                file.source(),
                file.published() == null ? List.of() : file.published(),
                file.scales(),
                file.definitions());
    }

    String defaultScale() {
        return scales.keySet().iterator().next();
    }

    /**
     * Returns the definitions, ready to submit.
     *
     * @throws Problem {@code invalid-request} if the scale does not exist
     */
    List<ObjectNode> at(String scale) {
        Map<String, JsonNode> values = scales.get(scale);
        if (values == null) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "?scale",
                                    "must be one of " + List.copyOf(scales.keySet()),
                                    scale)));
        }
        return definitions.stream().map(definition -> withValues(definition, values)).toList();
    }

    private static ObjectNode withValues(ObjectNode definition, Map<String, JsonNode> values) {
        ObjectNode copy = definition.deepCopy();
        values.forEach((path, value) -> ParameterGrid.set(copy, path, value));
        return copy;
    }
}
