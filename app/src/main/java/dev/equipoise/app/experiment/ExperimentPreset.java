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
 * An experiment that comes with the service: one definition, or several where no matrix has all the
 * runs that are to be compared.
 *
 * @param scales by name, the usual one first: values laid over each definition by dotted paths
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
     * What a preset's file holds.
     *
     * @param about what it shows, in some sentences
     * @param source the papers that it follows
     * @param experiment the definition, or what all have in common where there are several
     * @param experiments several: each laid over what they have in common, by dotted paths
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
                    : experiments.stream().map(own -> laidOver(common, own)).toList();
        }
    }

    /**
     * What others found, to set beside one's own figures.
     *
     * @param value one of this and the range is there
     * @param range least and most
     * @param where in the source
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
                        "%s must have a value, or a range of two".formatted(what));
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

    String usualScale() {
        return scales.keySet().iterator().next();
    }

    /**
     * The definitions, ready to be submitted.
     *
     * @throws Problem {@code invalid-request} where there is no such scale
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
        return definitions.stream().map(definition -> laidOver(definition, values)).toList();
    }

    private static ObjectNode laidOver(ObjectNode definition, Map<String, JsonNode> values) {
        ObjectNode copy = definition.deepCopy();
        values.forEach((path, value) -> Matrix.set(copy, path, value));
        return copy;
    }
}
