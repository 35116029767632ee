package dev.equipoise.launcher;

import static java.util.stream.Collectors.toSet;

import dev.equipoise.launcher.TextTable.Column;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import tools.jackson.databind.JsonNode;

/**
 * Formats a comparison as text tables: results, costs, and the errors of predictions if there are
 * any. Each line is a seed group: runs that differ in their seed alone.
 */
final class ComparisonReport {

    private static final String UNKNOWN = "-";
    private static final Column LABEL = new Column("", group -> group.path("label").asString());

    private static final String LEGEND =
            """
            Means over completed runs, ± half the 95 % confidence interval. Differences are to the
            first line, seed by seed. In parentheses: how many times less than in the first line.
            Transfer, wait and the like are means over the replicas.
            """;
    private static final String REPLICAS =
            "Replicas is the mean of the accuracies of the single replicas.\n";
    private static final String COMPARED_REPLICAS =
            "Accuracy is the mean of those of the single replicas; mean model is that of their mean.\n";
    private static final String HIDDEN =
            "Hidden is communication overlapped with computing; no other column includes it.\n";

    private ComparisonReport() {}

    static String of(JsonNode comparison) {
        List<JsonNode> groups = comparison.path("groups").valueStream().toList();
        boolean comparesReplicas = comparison.path("compared").asString("mean").equals("replicas");
        return TextTable.of(
                        withTarget(
                                comparesReplicas
                                        ? accuraciesOfReplicas()
                                        : accuraciesOfMean(groups),
                                comparison.path("target")),
                        groups)
                + "\n"
                + TextTable.of(costs(groups), groups)
                + predicted(comparison.path("runs").valueStream().toList(), groups)
                + LEGEND
                + replicas(comparesReplicas, groups)
                + (isAny(groups, "hiddenSeconds") ? HIDDEN : "");
    }

    private static String replicas(boolean comparesReplicas, List<JsonNode> groups) {
        if (comparesReplicas) {
            return COMPARED_REPLICAS;
        }
        return isAny(groups, "replicaAccuracy") ? REPLICAS : "";
    }

    private static List<Column> withTarget(List<Column> accuracies, JsonNode target) {
        List<Column> columns = new ArrayList<>(accuracies);
        if (target.isNumber()) {
            columns.add(new Column("s to " + target, ComparisonReport::toTarget));
            columns.add(megabytesColumn("MB to " + target, "bytesToTarget"));
        }
        return columns;
    }

    private static List<Column> accuraciesOfMean(List<JsonNode> groups) {
        List<Column> columns =
                new ArrayList<>(
                        List.of(
                                LABEL,
                                new Column("runs", ComparisonReport::runs),
                                comparedColumn("finalAccuracy"),
                                accuracyColumn("best", "bestAccuracy"),
                                new Column("difference", ComparisonReport::difference)));
        if (isAny(groups, "replicaAccuracy")) {
            columns.add(accuracyColumn("replicas", "replicaAccuracy"));
        }
        return columns;
    }

    private static List<Column> accuraciesOfReplicas() {
        return List.of(
                LABEL,
                new Column("runs", ComparisonReport::runs),
                comparedColumn("replicaAccuracy"),
                new Column("difference", ComparisonReport::difference),
                accuracyColumn("mean model", "finalAccuracy"));
    }

    private static Column comparedColumn(String figure) {
        return new Column("accuracy", group -> spread(figure(group, figure), rounded("%.4f")));
    }

    private static List<Column> costs(List<JsonNode> groups) {
        List<Column> columns = new ArrayList<>();
        columns.add(LABEL);
        columns.add(new Column("training s", group -> spread(figure(group, "trainingSeconds"))));
        columns.add(new Column("speedup", ComparisonReport::speedup));
        columns.add(timeColumn("transfer s", "communicationSeconds", "communicationTime"));
        columns.add(timeColumn("with wait s", "synchronizationSeconds", "synchronizationTime"));
        columns.addAll(ifAny(groups, "hidden s", "hiddenSeconds"));
        columns.addAll(ifAny(groups, "encode s", "encodeSeconds"));
        columns.add(megabytesColumn("MB sent", "bytesSent"));
        return columns;
    }

    private static Column accuracyColumn(String name, String figure) {
        return new Column(name, group -> mean(figure(group, figure), rounded("%.4f")));
    }

    private static Column timeColumn(String name, String figure, String ratio) {
        return new Column(name, group -> seconds(group, figure) + timeRatio(group, ratio));
    }

    private static Column megabytesColumn(String name, String figure) {
        return new Column(
                name,
                group ->
                        mean(figure(group, figure), ComparisonReport::megabytes)
                                + byteRatio(group, figure));
    }

    private static String predicted(List<JsonNode> runs, List<JsonNode> groups) {
        if (runs.stream().noneMatch(run -> run.path("predictionError").isNumber())) {
            return "";
        }
        List<Column> columns =
                List.of(
                        LABEL,
                        new Column("epoch s", group -> epoch(runs, group, "epochSeconds")),
                        new Column(
                                "predicted s",
                                group -> epoch(runs, group, "predictedEpochSeconds")),
                        new Column("off", group -> error(runs, group)));
        return "\n" + TextTable.of(columns, groups);
    }

    private static String error(List<JsonNode> runs, JsonNode group) {
        return meanOf(runs, group, "predictionError", it -> rounded("%+.1f %%").apply(100 * it));
    }

    private static String epoch(List<JsonNode> runs, JsonNode group, String figure) {
        return meanOf(runs, group, figure, rounded("%.3f"));
    }

    /** Returns the mean over the runs of a group that have the figure. */
    private static String meanOf(
            List<JsonNode> runs, JsonNode group, String figure, DoubleFunction<String> format) {
        Set<String> own = group.path("runs").valueStream().map(JsonNode::asString).collect(toSet());
        OptionalDouble mean =
                runs.stream()
                        .filter(run -> own.contains(run.path("run").asString()))
                        .map(run -> run.path(figure))
                        .filter(JsonNode::isNumber)
                        .mapToDouble(JsonNode::asDouble)
                        .average();
        return mean.isPresent() ? format.apply(mean.getAsDouble()) : UNKNOWN;
    }

    private static List<Column> ifAny(List<JsonNode> groups, String name, String figure) {
        return isAny(groups, figure)
                ? List.of(new Column(name, group -> seconds(group, figure)))
                : List.of();
    }

    private static boolean isAny(List<JsonNode> groups, String figure) {
        return groups.stream().anyMatch(it -> figure(it, figure).path("mean").asDouble(0) > 0);
    }

    private static JsonNode figure(JsonNode group, String name) {
        return group.path("figures").path(name);
    }

    private static String runs(JsonNode group) {
        return "%d of %d".formatted(group.path("completed").asInt(), group.path("runs").size());
    }

    private static String difference(JsonNode group) {
        return spread(group.path("accuracyDifference"), rounded("%+.4f"), rounded("%.4f"));
    }

    private static String toTarget(JsonNode group) {
        JsonNode estimate = figure(group, "secondsToTarget");
        return group.path("completed").asInt() > 0 && !estimate.isObject()
                ? "reached by %d".formatted(group.path("reached").asInt())
                : spread(estimate) + timeRatio(group, "timeToTarget");
    }

    private static String speedup(JsonNode group) {
        JsonNode ratio = group.path("ratios").path("trainingTime");
        return ratio.isNumber() ? rounded("%.3f").apply(ratio.asDouble()) : UNKNOWN;
    }

    /**
     * Formats a ratio of times, which is that of the first line over its own; empty if the first
     * line has no time.
     */
    private static String timeRatio(JsonNode group, String ratio) {
        double times = group.path("ratios").path(ratio).asDouble(0);
        return times > 0 ? rounded(" (%.2f)").apply(times) : "";
    }

    /** Formats a ratio of bytes, which is its own over those of the first line. */
    private static String byteRatio(JsonNode group, String ratio) {
        double share = group.path("ratios").path(ratio).asDouble(0);
        return share > 0 ? rounded(" (%.2f)").apply(1 / share) : "";
    }

    private static String seconds(JsonNode group, String name) {
        return mean(figure(group, name), ComparisonReport::seconds);
    }

    private static String spread(JsonNode seconds) {
        boolean isShort = seconds.path("mean").asDouble(0) < 1;
        return spread(
                seconds,
                ComparisonReport::seconds,
                isShort ? ComparisonReport::seconds : rounded("%.2f"));
    }

    private static String spread(JsonNode estimate, DoubleFunction<String> format) {
        return spread(estimate, format, format);
    }

    private static String spread(
            JsonNode estimate, DoubleFunction<String> format, DoubleFunction<String> ofHalf) {
        JsonNode high = estimate.path("high");
        return mean(estimate, format)
                + (high.isNumber()
                        ? " ± " + ofHalf.apply(high.asDouble() - estimate.path("mean").asDouble())
                        : "");
    }

    private static String mean(JsonNode estimate, DoubleFunction<String> format) {
        JsonNode mean = estimate.path("mean");
        return mean.isNumber() ? format.apply(mean.asDouble()) : UNKNOWN;
    }

    /** Formats seconds, with three significant digits below one second. */
    private static String seconds(double seconds) {
        return seconds > 0 && seconds < 1
                ? new BigDecimal(seconds).round(new MathContext(3)).toPlainString()
                : rounded("%.2f").apply(seconds);
    }

    private static String megabytes(double bytes) {
        return rounded("%.1f").apply(bytes / 1e6);
    }

    private static DoubleFunction<String> rounded(String format) {
        return number -> String.format(Locale.ROOT, format, number);
    }
}
