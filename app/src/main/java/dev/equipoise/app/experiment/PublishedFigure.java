package dev.equipoise.app.experiment;

import static java.util.stream.Collectors.joining;

import dev.equipoise.app.problem.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A published figure, and how the runs of the preset measure it.
 *
 * @param what subject of the figure
 * @param value either this or the range is present
 * @param range minimum and maximum
 * @param unit unit of the figure
 * @param where the place in the paper
 * @param ours the closed form over the runs; null if they do not measure the figure
 * @param because why the runs do not measure the figure, at the scales that {@code ours} leaves
 *     out; null if they measure it at every scale
 */
record PublishedFigure(
        String what,
        @Nullable Double value,
        @Nullable List<Double> range,
        String unit,
        String where,
        @Nullable MeasuredFigure ours,
        @Nullable String because) {

    private static final String LIST = "published";
    private static final String VALUE = "value";
    private static final String RANGE = "range";
    private static final String OURS = "ours";
    private static final String BECAUSE = "because";

    /** Maximum number of figures of a preset: several times what a paper has. */
    private static final int MAX_FIGURES = 100;

    /** Maximum magnitude of a figure, in its unit. */
    private static final double MAX_MAGNITUDE = 1e9;

    /**
     * Reads the figures of a preset.
     *
     * @param scales names of the scales of the preset
     * @throws IllegalArgumentException with all problems, each with its JSON pointer
     */
    static List<PublishedFigure> read(JsonNode list, Set<String> scales) {
        List<Violation> violations = new ArrayList<>();
        JsonNode file = JsonNodeFactory.instance.objectNode().set(LIST, list);
        List<PublishedFigure> figures =
                JsonFieldReader.of(file, violations).elements(LIST, 0, MAX_FIGURES).stream()
                        .map(it -> read(it, scales))
                        .toList();
        if (!violations.isEmpty()) {
            throw new IllegalArgumentException(
                    violations.stream().map(PublishedFigure::sentence).collect(joining("; ")));
        }
        return figures;
    }

    private static String sentence(Violation violation) {
        return violation.value() == null
                ? "%s %s".formatted(violation.pointer(), violation.rule())
                : "%s %s, but was %s"
                        .formatted(violation.pointer(), violation.rule(), violation.value());
    }

    private static PublishedFigure read(JsonFieldReader.Element element, Set<String> scales) {
        JsonFieldReader fields = element.object();
        String unit = fields.text("unit", null);
        MeasuredFigure ours =
                fields.given(OURS)
                        ? MeasuredFigure.read(
                                fields.object(OURS), element.value().path(OURS), unit, scales)
                        : null;
        PublishedFigure figure =
                new PublishedFigure(
                        fields.text("what", null),
                        value(fields),
                        range(fields),
                        unit,
                        fields.text("where", null),
                        ours,
                        because(fields, ours == null || !ours.isAtAll(scales)));
        fields.end();
        return figure;
    }

    /** Reads the value, which a range replaces. */
    private static @Nullable Double value(JsonFieldReader fields) {
        if (fields.given(VALUE) && fields.given(RANGE)) {
            fields.reject(VALUE, "must not be given with a range");
        }
        return fields.given(RANGE)
                ? null
                : (Double) fields.number(VALUE, null, -MAX_MAGNITUDE, MAX_MAGNITUDE);
    }

    private static @Nullable List<Double> range(JsonFieldReader fields) {
        if (!fields.given(RANGE)) {
            return null;
        }
        List<Double> range = fields.numbers(RANGE, null, List.of(2), -MAX_MAGNITUDE, MAX_MAGNITUDE);
        if (range.getFirst() > range.getLast()) {
            fields.reject(RANGE, "must have its minimum first");
        }
        return range;
    }

    private static @Nullable String because(JsonFieldReader fields, boolean isNeeded) {
        if (isNeeded) {
            return fields.text(BECAUSE, null);
        }
        if (fields.given(BECAUSE)) {
            fields.reject(BECAUSE, "must not be given if ours holds at every scale");
        }
        return null;
    }
}
