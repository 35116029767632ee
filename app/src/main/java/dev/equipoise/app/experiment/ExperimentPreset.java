package dev.equipoise.app.experiment;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Suggestion;
import dev.equipoise.app.problem.Violation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An experiment that comes with the service, with one definition, or several if no parameter grid
 * covers all runs to compare.
 *
 * @param paper short name of the paper that has the published figures; null without any
 * @param scales by name, the default first: values that override fields of each definition, by
 *     dotted paths
 * @param definitions without the values of a scale, the baseline first
 */
record ExperimentPreset(
        String name,
        String title,
        String about,
        List<String> source,
        @Nullable String paper,
        List<PublishedFigure> published,
        Map<String, Map<String, JsonNode>> scales,
        List<ScaledDefinition> definitions) {

    private static final String SCALES = "scales";

    /**
     * One definition of the preset.
     *
     * @param definition without the values of a scale
     * @param scales by the names of scales: an object of values of this definition alone, by dotted
     *     paths, which override those of the scale; or {@code absent} if it takes no part in the
     *     scale
     */
    record ScaledDefinition(ObjectNode definition, Map<String, JsonNode> scales) {

        private static final String ABSENT = "absent";

        ScaledDefinition {
            scales = Collections.unmodifiableMap(new LinkedHashMap<>(scales));
            scales.forEach(ScaledDefinition::requireObjectOrAbsent);
        }

        /**
         * Creates a definition from its differences to the common part.
         *
         * @param own by dotted paths, and its own scales as the object {@code scales}
         */
        static ScaledDefinition of(ObjectNode common, Map<String, JsonNode> own) {
            Map<String, JsonNode> fields = new LinkedHashMap<>(own);
            JsonNode scales = fields.remove(SCALES);
            return new ScaledDefinition(
                    withValues(common, fields.entrySet()),
                    scales == null ? Map.of() : fieldsOf(scales));
        }

        private static Map<String, JsonNode> fieldsOf(JsonNode scales) {
            if (!scales.isObject()) {
                throw new IllegalArgumentException(
                        "the scales of a definition must be an object, but are %s"
                                .formatted(scales));
            }
            Map<String, JsonNode> fields = new LinkedHashMap<>();
            scales.properties().forEach(it -> fields.put(it.getKey(), it.getValue()));
            return fields;
        }

        private static void requireObjectOrAbsent(String scale, JsonNode own) {
            if (!own.isObject() && !own.asString("").equals(ABSENT)) {
                throw new IllegalArgumentException(
                        "the scale %s of a definition must be an object of values or %s, but is %s"
                                .formatted(scale, ABSENT, own));
            }
        }

        boolean isAt(String scale) {
            JsonNode own = scales.get(scale);
            return own == null || own.isObject();
        }

        /** Returns the definition with the values of a scale, and then its own at this scale. */
        ObjectNode at(String scale, Map<String, JsonNode> values) {
            ObjectNode scaled = withValues(definition, values.entrySet());
            JsonNode own = scales.get(scale);
            return own == null ? scaled : withValues(scaled, own.properties());
        }
    }

    /**
     * The content of a preset's file.
     *
     * @param about a description of some sentences
     * @param source the papers that it follows
     * @param paper short name of the paper that has the published figures
     * @param published the published figures, which {@link PublishedFigure#read} reads
     * @param experiment the definition, or the common part of several
     * @param experiments the differences of several definitions from the common part, by dotted
     *     paths, and of each its own scales as the object {@code scales}
     */
    record File(
            String title,
            String about,
            List<String> source,
            @Nullable String paper,
            @Nullable ArrayNode published,
            Map<String, Map<String, JsonNode>> scales,
            @Nullable ObjectNode experiment,
            @Nullable List<Map<String, JsonNode>> experiments) {

        List<ScaledDefinition> definitions() {
            ObjectNode common =
                    experiment == null ? JsonNodeFactory.instance.objectNode() : experiment;
            return experiments == null
                    ? List.of(new ScaledDefinition(common, Map.of()))
                    : experiments.stream().map(own -> ScaledDefinition.of(common, own)).toList();
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
        if (paper == null && !published.isEmpty()) {
            throw new IllegalArgumentException("published figures must have a paper");
        }
        requireKnown(definitions, scales.keySet());
        requireDefinitions(definitions, scales.keySet());
    }

    private static void requireKnown(List<ScaledDefinition> definitions, Set<String> scales) {
        for (ScaledDefinition definition : definitions) {
            if (!scales.containsAll(definition.scales().keySet())) {
                throw new IllegalArgumentException(
                        "the scales of a definition must be among %s, but are %s"
                                .formatted(scales, definition.scales().keySet()));
            }
        }
    }

    private static void requireDefinitions(List<ScaledDefinition> definitions, Set<String> scales) {
        for (String scale : scales) {
            if (definitions.stream().noneMatch(it -> it.isAt(scale))) {
                throw new IllegalArgumentException(
                        "the scale %s has no definition".formatted(scale));
            }
        }
    }

    static ExperimentPreset of(String name, File file) {
        return new ExperimentPreset(
                name,
                file.title(),
                file.about(),
                file.source(),
                file.paper(),
                file.published() == null
                        ? List.of()
                        : PublishedFigure.read(file.published(), file.scales().keySet()),
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
                                    "must be one of %s%s"
                                            .formatted(
                                                    List.copyOf(scales.keySet()),
                                                    Suggestion.after(scale, scales.keySet())),
                                    scale)));
        }
        return definitions.stream()
                .filter(it -> it.isAt(scale))
                .map(it -> it.at(scale, values))
                .toList();
    }

    private static ObjectNode withValues(
            ObjectNode definition, Set<Map.Entry<String, JsonNode>> values) {
        ObjectNode copy = definition.deepCopy();
        values.forEach(it -> ParameterGrid.set(copy, it.getKey(), it.getValue()));
        return copy;
    }
}
