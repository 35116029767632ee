package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * @param definitions without the values of a scale, the baseline first
 */
record ExperimentPreset(
        String name,
        String title,
        String about,
        List<String> source,
        List<PublishedFigure> published,
        Map<String, Map<String, JsonNode>> scales,
        List<ScaledDefinition> definitions) {

    private static final String SCALES = "scales";

    /**
     * A definition with the scales at which it takes part.
     *
     * @param scales empty for every scale
     */
    record ScaledDefinition(ObjectNode definition, List<String> scales) {

        ScaledDefinition {
            scales = List.copyOf(scales);
        }

        boolean isAt(String scale) {
            return scales.isEmpty() || scales.contains(scale);
        }
    }

    /**
     * The content of a preset's file.
     *
     * @param about a description of some sentences
     * @param source the papers that it follows
     * @param experiment the definition, or the common part of several
     * @param experiments the differences of several definitions from the common part, by dotted
     *     paths; {@code scales} lists the scales of a definition that is not part of all
     */
    record File(
            String title,
            String about,
            List<String> source,
            @Nullable List<PublishedFigure> published,
            Map<String, Map<String, JsonNode>> scales,
            @Nullable ObjectNode experiment,
            @Nullable List<Map<String, JsonNode>> experiments) {

        List<ScaledDefinition> definitions() {
            ObjectNode common =
                    experiment == null ? JsonNodeFactory.instance.objectNode() : experiment;
            return experiments == null
                    ? List.of(new ScaledDefinition(common, List.of()))
                    : experiments.stream().map(own -> scaled(common, own)).toList();
        }

        private static ScaledDefinition scaled(ObjectNode common, Map<String, JsonNode> own) {
            Map<String, JsonNode> fields = new LinkedHashMap<>(own);
            JsonNode listed = fields.remove(SCALES);
            return new ScaledDefinition(
                    withValues(common, fields),
                    listed == null
                            ? List.of()
                            : listed.valueStream().map(JsonNode::stringValue).toList());
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
        requireScales(definitions, scales.keySet());
    }

    private static void requireScales(List<ScaledDefinition> definitions, Set<String> scales) {
        definitions.forEach(it -> requireKnown(it.scales(), scales));
        scales.forEach(scale -> requireDefinition(scale, definitions));
    }

    private static void requireKnown(List<String> named, Set<String> scales) {
        if (!scales.containsAll(named)) {
            throw new IllegalArgumentException(
                    "a definition is at the scales %s, but the preset has only %s"
                            .formatted(named, scales));
        }
    }

    private static void requireDefinition(String scale, List<ScaledDefinition> definitions) {
        if (definitions.stream().noneMatch(it -> it.isAt(scale))) {
            throw new IllegalArgumentException("the scale %s has no definition".formatted(scale));
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
        return definitions.stream()
                .filter(it -> it.isAt(scale))
                .map(it -> withValues(it.definition(), values))
                .toList();
    }

    private static ObjectNode withValues(ObjectNode definition, Map<String, JsonNode> values) {
        ObjectNode copy = definition.deepCopy();
        values.forEach((path, value) -> ParameterGrid.set(copy, path, value));
        return copy;
    }
}
