package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A comparison as a table for people: a line for each group of runs that differ by their seeds. */
final class ComparisonReport {

    private static final String UNKNOWN = "-";

    private ComparisonReport() {}

    static String of(JsonNode comparison) {
        boolean hasTarget = comparison.path("target").isNumber();
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of(
                        "",
                        "runs",
                        "accuracy",
                        hasTarget ? "to target s" : "",
                        "training s",
                        "transfer s",
                        "with wait s",
                        "MB sent",
                        "speed-up"));
        comparison.path("groups").forEach(group -> rows.add(row(group, hasTarget)));
        return aligned(rows)
                + "Means over the runs that completed, \u00b1 half their 95 %% interval. Speed-up: %s,%nover that of the first line. Of transfer and wait each rank has its own: their mean.%n"
                        .formatted(
                                hasTarget
                                        ? "training until accuracy %s"
                                                .formatted(comparison.path("target"))
                                        : "training time");
    }

    private static List<String> row(JsonNode group, boolean hasTarget) {
        JsonNode figures = group.path("figures");
        int completed = group.path("completed").asInt();
        return List.of(
                group.path("label").asString(),
                "%d of %d".formatted(completed, group.path("runs").size()),
                accuracy(figures.path("finalAccuracy")),
                hasTarget ? toTarget(group, completed) : "",
                seconds(figures.path("trainingSeconds")),
                seconds(figures.path("communicationSeconds")),
                seconds(figures.path("synchronizationSeconds")),
                mean("%.1f", figures.path("bytesSent"), 1e-6),
                number(
                        "%.3f",
                        group.path("ratios").path(hasTarget ? "timeToTarget" : "trainingTime"), 1));
    }

    private static String toTarget(JsonNode group, int completed) {
        JsonNode seconds = group.path("figures").path("secondsToTarget");
        return completed > 0 && !seconds.isObject()
                ? "reached by %d".formatted(group.path("reached").asInt())
                : seconds(seconds);
    }

    /** Below a second, three digits that say something. */
    private static String seconds(JsonNode estimate) {
        double mean = estimate.path("mean").asDouble(0);
        return mean > 0 && mean < 1
                ? new BigDecimal(mean).round(new MathContext(3)).toPlainString()
                : mean("%.2f", estimate, 1);
    }

    private static String accuracy(JsonNode estimate) {
        JsonNode high = estimate.path("high");
        return mean("%.4f", estimate, 1)
                + (high.isNumber()
                        ? String.format(
                                Locale.ROOT,
                                " \u00b1 %.4f",
                                high.asDouble() - estimate.path("mean").asDouble())
                        : "");
    }

    private static String mean(String format, JsonNode estimate, double unit) {
        return number(format, estimate.path("mean"), unit);
    }

    private static String number(String format, JsonNode number, double unit) {
        return number.isNumber()
                ? String.format(Locale.ROOT, format, unit * number.asDouble())
                : UNKNOWN;
    }

    /**
     * The first column begins at the left, the others end at the right; empty ones are left out.
     */
    private static String aligned(List<List<String>> rows) {
        int[] widths =
                IntStream.range(0, rows.getFirst().size())
                        .map(column ->
                                rows.stream()
                                        .mapToInt(row -> row.get(column).length())
                                        .max()
                                        .orElse(0))
                        .toArray();
        return rows.stream()
                .map(row ->
                        IntStream.range(0, widths.length)
                                .filter(column -> widths[column] > 0)
                                .mapToObj(column -> cell(row.get(column), widths[column], column))
                                .collect(joining("  ", "", "\n")))
                .collect(joining());
    }

    private static String cell(String text, int width, int column) {
        return ("%" + (column == 0 ? "-" : "") + width + "s").formatted(text);
    }
}
