package dev.equipoise.launcher;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * The closed form by which runs of a preset measure a published figure, as {@code GET
 * /api/v1/presets} describes it.
 *
 * @param source fields figure, over, per, of, against and as
 */
record FigureForm(JsonNode source) {

    private static final double PERCENT = 100;

    /** Tells whether the form holds at a scale. */
    boolean isAt(String scale) {
        JsonNode scales = source.path("scales");
        return scales.isEmpty() || scales.valueStream().anyMatch(it -> it.asString().equals(scale));
    }

    /** Tells whether the form needs the run of a configuration. */
    boolean isOver(JsonNode configuration) {
        return isSelected(configuration, source.path("of"))
                || isSelected(configuration, source.path("against"));
    }

    /**
     * Evaluates the form over all runs of a preset at a scale. Operands are means over seeds; with
     * several seed groups the least and the greatest value over all pairs count.
     *
     * @param withoutRun reason for no figure if a selected run is not completed
     */
    Outcome evaluate(List<PresetRun> runs, String withoutRun) {
        boolean isCompared = source.path("against").isObject();
        List<PresetRun> own = selected(runs, source.path("of"));
        List<PresetRun> others = isCompared ? selected(runs, source.path("against")) : List.of();
        if (own.isEmpty() || (isCompared && others.isEmpty())) {
            return new Outcome.Absent("no run of this scale is selected");
        }
        if (!areCompleted(own) || !areCompleted(others)) {
            return new Outcome.Absent(withoutRun);
        }
        return outcome(isCompared ? pairs(means(own), means(others)) : shown(means(own)));
    }

    private List<Double> pairs(List<Double> values, List<Double> others) {
        return values.stream()
                .flatMap(value -> others.stream().map(other -> combined(value, other)))
                .toList();
    }

    /** Returns values without a comparison; accuracies and shares become percent. */
    private List<Double> shown(List<Double> values) {
        double unit = isFraction() ? PERCENT : 1;
        return values.stream().map(value -> unit * value).toList();
    }

    private boolean isFraction() {
        return source.path("over").isString()
                || source.path("figure").asString().endsWith("Accuracy");
    }

    private static boolean areCompleted(List<PresetRun> runs) {
        return runs.stream().allMatch(PresetRun::isCompleted);
    }

    private Outcome outcome(List<Double> values) {
        if (!values.stream().allMatch(Double::isFinite)) {
            return new Outcome.Absent(
                    "a run has no %s, or divides by 0".formatted(source.path("figure").asString()));
        }
        return new Outcome.Measured(
                values.stream().mapToDouble(it -> it).min().orElseThrow(),
                values.stream().mapToDouble(it -> it).max().orElseThrow());
    }

    private static List<PresetRun> selected(List<PresetRun> runs, JsonNode selector) {
        return runs.stream().filter(run -> isSelected(run.configuration(), selector)).toList();
    }

    private static boolean isSelected(JsonNode configuration, JsonNode selector) {
        return !selector.isEmpty()
                && selector.properties().stream()
                        .allMatch(field ->
                                isAnyOf(
                                        field.getValue(),
                                        configuration.at("/" + field.getKey().replace('.', '/'))));
    }

    private static boolean isAnyOf(JsonNode wanted, JsonNode value) {
        return wanted.isArray()
                ? wanted.valueStream().anyMatch(it -> isEqual(it, value))
                : isEqual(wanted, value);
    }

    private static boolean isEqual(JsonNode wanted, JsonNode value) {
        return (wanted.isNumber() && value.isNumber())
                ? wanted.asDouble() == value.asDouble()
                : wanted.equals(value);
    }

    /** Returns the mean over the seeds of each group, in the order of the groups. */
    private List<Double> means(List<PresetRun> runs) {
        Collection<List<PresetRun>> groups =
                runs.stream()
                        .collect(
                                groupingBy(
                                        PresetRun::withoutSeed,
                                        LinkedHashMap<JsonNode, List<PresetRun>>::new,
                                        toList()))
                        .values();
        return groups.stream().map(this::mean).toList();
    }

    private double mean(List<PresetRun> group) {
        OptionalDouble mean = group.stream().mapToDouble(this::valueOf).average();
        return mean.orElse(Double.NaN);
    }

    /** Returns the operand of a run; not a number if the run does not have it. */
    private double valueOf(PresetRun run) {
        double figure = figure(run, source.path("figure"));
        JsonNode over = source.path("over");
        double whole = over.isString() ? figure(run, over) : 1;
        return figure / whole / parts(run);
    }

    private static double figure(PresetRun run, JsonNode name) {
        JsonNode figure = run.figures().path(name.asString());
        return figure.isNumber() ? figure.asDouble() : Double.NaN;
    }

    private double parts(PresetRun run) {
        return switch (source.path("per").asString("run")) {
            case "epoch" -> run.epochs();
            case "round" -> (double) run.epochs() * run.rounds();
            default -> 1;
        };
    }

    /** Combines two operands; differences become points, and savings percent. */
    private double combined(double value, double other) {
        return switch (source.path("as").asString()) {
            case "ratio" -> value / other;
            case "difference" -> PERCENT * (value - other);
            case "saved" -> PERCENT * (other - value) / other;
            default ->
                    throw new LabFailure(
                            "the service has published figures of an unknown form: %s"
                                    .formatted(source.path("as")));
        };
    }
}
