package dev.equipoise.app.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The closed form by which runs of a preset measure a published figure. Its operands are means over
 * seeds. A selector may choose several configurations; the form then has the least and the greatest
 * value over all pairs of them.
 *
 * @param figure of a run, as comparisons have it
 * @param over figure of the same run that divides it; null for none
 * @param per the part of the training that the figure is divided by
 * @param of selector of the runs: dotted paths in the run configuration and the value at each; a
 *     list stands for any of its values
 * @param against selector of the runs to compare with; null for the form {@code value}
 * @param as how the form combines the two
 * @param scales scales at which the form holds; empty for all
 */
record MeasuredFigure(
        Figure figure,
        @Nullable Figure over,
        Per per,
        Map<String, Object> of,
        @Nullable Map<String, Object> against,
        Form as,
        List<String> scales) {

    private static final String OVER = "over";
    private static final String OF = "of";
    private static final String AGAINST = "against";
    private static final String AS = "as";
    private static final String SCALES = "scales";

    /** Figures of a run. */
    enum Figure {
        @JsonProperty("finalAccuracy")
        FINAL_ACCURACY("finalAccuracy", "%"),
        @JsonProperty("bestAccuracy")
        BEST_ACCURACY("bestAccuracy", "%"),
        @JsonProperty("replicaAccuracy")
        REPLICA_ACCURACY("replicaAccuracy", "%"),
        @JsonProperty("bestReplicaAccuracy")
        BEST_REPLICA_ACCURACY("bestReplicaAccuracy", "%"),
        @JsonProperty("trainingSeconds")
        TRAINING_SECONDS("trainingSeconds", "s"),
        @JsonProperty("communicationSeconds")
        COMMUNICATION_SECONDS("communicationSeconds", "s"),
        @JsonProperty("synchronizationSeconds")
        SYNCHRONIZATION_SECONDS("synchronizationSeconds", "s"),
        @JsonProperty("bytesSent")
        BYTES_SENT("bytesSent", "bytes");

        private final String code;
        private final String unit;

        Figure(String code, String unit) {
            this.code = code;
            this.unit = unit;
        }

        static List<String> codes() {
            return Arrays.stream(values()).map(it -> it.code).toList();
        }

        /** Returns the figure of a code; any figure for a code that was reported as unknown. */
        static Figure of(String code) {
            return Arrays.stream(values())
                    .filter(it -> it.code.equals(code))
                    .findFirst()
                    .orElse(FINAL_ACCURACY);
        }
    }

    /** Parts of the training. */
    enum Per {
        /** The whole training. */
        @JsonProperty("run")
        RUN,
        @JsonProperty("epoch")
        EPOCH,
        @JsonProperty("round")
        ROUND
    }

    /** Combinations of a value a with the value b to compare with. */
    enum Form {
        /** a. */
        @JsonProperty("value")
        VALUE,
        /** a / b. */
        @JsonProperty("ratio")
        RATIO,
        /** a - b. */
        @JsonProperty("difference")
        DIFFERENCE,
        /** (b - a) / b. */
        @JsonProperty("saved")
        SAVED
    }

    /** Tells whether the form holds at a scale. */
    boolean isAt(String scale) {
        return scales.isEmpty() || scales.contains(scale);
    }

    boolean isAtAll(Set<String> all) {
        return all.stream().allMatch(this::isAt);
    }

    /**
     * Reads a form and reports its violations.
     *
     * @param source the object of which the reader reads the fields
     * @param unit of the published figure
     * @param scales names of the scales of the preset
     */
    static MeasuredFigure read(
            JsonFieldReader fields, JsonNode source, String unit, Set<String> scales) {
        Form form = fields.named(AS, Form.VALUE);
        MeasuredFigure measured =
                new MeasuredFigure(
                        Figure.of(fields.oneOf("figure", null, Figure.codes())),
                        fields.given(OVER)
                                ? Figure.of(fields.oneOf(OVER, null, Figure.codes()))
                                : null,
                        fields.named("per", Per.RUN),
                        selector(fields, OF, source),
                        against(fields, form, source),
                        form,
                        scales(fields, scales));
        if (!measured.fits(unit)) {
            fields.reject(
                    AS, "must give the unit of the published figure, which is \"" + unit + "\"");
        }
        fields.end();
        return measured;
    }

    private static @Nullable Map<String, Object> against(
            JsonFieldReader fields, Form form, JsonNode source) {
        if (form != Form.VALUE) {
            return selector(fields, AGAINST, source);
        }
        if (fields.given(AGAINST)) {
            fields.reject(AGAINST, "must not be given for the form value");
        }
        return null;
    }

    private static Map<String, Object> selector(
            JsonFieldReader fields, String name, JsonNode source) {
        JsonNode selector = source.path(name);
        Map<String, Object> values = new LinkedHashMap<>();
        if (!fields.given(name) || !selector.isObject() || selector.isEmpty()) {
            fields.reject(name, "must be an object of field paths and their values");
            return values;
        }
        selector.properties().forEach(field -> values.put(field.getKey(), field.getValue()));
        if (!selector.valueStream().allMatch(MeasuredFigure::isValueOrList)) {
            fields.reject(name, "must have a value or a list of values for each path");
        }
        return values;
    }

    private static boolean isValueOrList(JsonNode value) {
        return value.isArray()
                ? !value.isEmpty() && value.valueStream().allMatch(JsonNode::isValueNode)
                : value.isValueNode() && !value.isNull();
    }

    private static List<String> scales(JsonFieldReader fields, Set<String> known) {
        if (!fields.given(SCALES)) {
            return List.of();
        }
        Set<String> scales = new LinkedHashSet<>();
        List<String> unknown = new ArrayList<>();
        for (JsonFieldReader.Element element : fields.elements(SCALES, 1, known.size())) {
            String scale = element.value().asString("");
            (known.contains(scale) ? scales : unknown).add(scale);
        }
        if (!unknown.isEmpty()) {
            fields.reject(SCALES, "must be among " + known);
        }
        return List.copyOf(scales);
    }

    /** Tells whether the form gives a unit, and its divisors suit it. */
    private boolean fits(String unit) {
        boolean suits = per == Per.RUN || (figure.unit.equals("s") && over == null);
        return suits
                && switch (as) {
                    case RATIO -> unit.startsWith("times");
                    case SAVED -> unit.equals("%");
                    case DIFFERENCE ->
                            figure.unit.equals("%") && over == null && unit.equals("points");
                    case VALUE -> isUnitOfValue(unit);
                };
    }

    private boolean isUnitOfValue(String unit) {
        return over == null
                ? unit.equals(figure.unit) || unit.startsWith(figure.unit + " ")
                : unit.equals("%") && figure.unit.equals(over.unit);
    }
}
