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
 * @param lines definitions without the values of a scale
 */
record ExperimentPreset(
        String name,
        String title,
        String about,
        List<String> source,
        List<PublishedFigure> published,
        Map<String, Map<String, JsonNode>> scales,
        List<Line> lines) {

    private static final String SCALES = "scales";

    /**
     * One definition of the preset.
     *
     * @param definition without the values of a scale
     * @param scales values of this definition alone, by the names of scales; they override those of
     *     the scale
     */
    record Line(ObjectNode definition, Map<String, Map<String, JsonNode>> scales) {

        /**
         * Creates a line from its differences to the common part.
         *
         * @param own by dotted paths, and its own values at scales as the object {@code scales}
         */
        static Line of(ObjectNode common, Map<String, JsonNode> own) {
            Map<String, JsonNode> fields = new LinkedHashMap<>(own);
            Map<String, Map<String, JsonNode>> scales = new LinkedHashMap<>();
            JsonNode byScale = fields.remove(SCALES);
            if (byScale != null) {
                byScale.properties()
                        .forEach(scale -> scales.put(scale.getKey(), values(scale.getValue())));
            }
            return new Line(withValues(common, fields), scales);
        }

        private static Map<String, JsonNode> values(JsonNode fields) {
            Map<String, JsonNode> values = new LinkedHashMap<>();
            fields.properties().forEach(field -> values.put(field.getKey(), field.getValue()));
            return values;
        }

        /** Returns the definition with the values of a scale, and then its own at this scale. */
        ObjectNode at(String scale, Map<String, JsonNode> values) {
            return withValues(withValues(definition, values), scales.getOrDefault(scale, Map.of()));
        }
    }

    /**
     * The content of a preset's file.
     *
     * @param about a description of some sentences
     * @param source the papers that it follows
     * @param experiment the definition, or the common part of several
     * @param experiments the differences of several definitions from the common part, by dotted
     *     paths, and of each its own values at scales as the object {@code scales}
     */
    record File(
            String title,
            String about,
            List<String> source,
            @Nullable List<PublishedFigure> published,
            Map<String, Map<String, JsonNode>> scales,
            @Nullable ObjectNode experiment,
            @Nullable List<Map<String, JsonNode>> experiments) {

        List<Line> lines() {
            ObjectNode common =
                    experiment == null ? JsonNodeFactory.instance.objectNode() : experiment;
            return experiments == null
                    ? List.of(new Line(common, Map.of()))
                    : experiments.stream().map(own -> Line.of(common, own)).toList();
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
        lines = List.copyOf(lines);
        if (scales.isEmpty()) {
            throw new IllegalArgumentException("a preset must have a scale");
        }
        for (Line line : lines) {
            if (!scales.keySet().containsAll(line.scales().keySet())) {
                throw new IllegalArgumentException(
                        "the scales of a definition must be among %s, but are %s"
                                .formatted(scales.keySet(), line.scales().keySet()));
            }
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
                file.lines());
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
        return lines.stream().map(line -> line.at(scale, values)).toList();
    }

    private static ObjectNode withValues(ObjectNode definition, Map<String, JsonNode> values) {
        ObjectNode copy = definition.deepCopy();
        values.forEach((path, value) -> ParameterGrid.set(copy, path, value));
        return copy;
    }
}
