package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.equipoise.launcher.TextTable.Column;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Formats a comparison as text tables: results, costs, run phases, and the errors of predictions if
 * there are any. Each line is a seed group: runs that differ in their seed alone.
 */
public final class ComparisonReport {

    private static final String UNKNOWN = "-";
    private static final Column LABEL = new Column("", RunLabel::label);

    private static final String LEGEND =
            """
            Means over completed runs. In brackets: the 95 % confidence interval of four seeds or
            more, or the least and greatest of fewer. Differences and speedups are to the first
            line, seed by seed where seeds are equal. In parentheses: first line / this line.
            Transfer, wait and the like are means over the replicas.
            """;
    private static final Map<String, String> ORDERS =
            Map.of(
                    "finalAccuracy", "Highest accuracy first",
                    "replicaAccuracy", "Highest accuracy first",
                    "trainingSeconds", "Shortest training first",
                    "secondsToTarget", "Shortest time to the target first");
    private static final String UNRANKED =
            "Lines with fewer than four completed seeds, or without the figure, are not ranked.\n";
    private static final String REPLICAS =
            "Replicas is the mean of the accuracies of the single replicas, best replica the highest.\n";
    private static final String COMPARED_REPLICAS =
            "Accuracy is the mean of those of the single replicas, best replica the highest of them;"
                    + " mean model is that of their mean.\n";
    private static final String HIDDEN =
            "Hidden is communication overlapped with computing; no other column includes it.\n";

    private static final String ELAPSED =
            "Elapsed is the time from the start of a run on the agents to its end, and the sum of the"
                    + " columns behind it.\n";

    /** Names of the run phases as columns. */
    private static final List<String> PHASES =
            List.of(
                    "rendezvous",
                    "data",
                    "warmUp",
                    "restore",
                    "calibration",
                    "training",
                    "evaluation",
                    "checkpoint",
                    "coordination");

    private ComparisonReport() {}

    public static String of(JsonNode comparison) {
        List<JsonNode> groups = comparison.path("groups").valueStream().toList();
        List<JsonNode> runs = comparison.path("runs").valueStream().toList();
        boolean comparesReplicas = comparison.path("compared").asString("mean").equals("replicas");
        List<Column> accuracies =
                comparesReplicas ? accuraciesOfReplicas() : accuraciesOfMean(groups);
        return TextTable.of(withTarget(accuracies, comparison.path("target")), groups)
                + "\n"
                + TextTable.of(costs(groups), groups)
                + elapsed(runs, groups)
                + predicted(runs, groups)
                + rankings(comparison, groups)
                + LEGEND
                + replicas(comparesReplicas, groups)
                + (isAny(groups, "hiddenSeconds") ? HIDDEN : "")
                + (isElapsed(runs) ? ELAPSED : "");
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
            columns.add(accuracyColumn("best replica", "bestReplicaAccuracy"));
        }
        return columns;
    }

    private static List<Column> accuraciesOfReplicas() {
        return List.of(
                LABEL,
                new Column("runs", ComparisonReport::runs),
                comparedColumn("replicaAccuracy"),
                accuracyColumn("best replica", "bestReplicaAccuracy"),
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

    /** Formats the elapsed time and its phases; phases without time in all runs are left out. */
    private static String elapsed(List<JsonNode> runs, List<JsonNode> groups) {
        if (!isElapsed(runs)) {
            return "";
        }
        List<Column> columns = new ArrayList<>();
        columns.add(LABEL);
        columns.add(new Column("elapsed s", group -> time(runs, group, "/elapsedSeconds")));
        for (String phase : PHASES) {
            String pointer = "/phases/%sSeconds".formatted(phase);
            if (runs.stream().anyMatch(run -> run.at(pointer).asDouble(0) > 0)) {
                columns.add(new Column(title(phase), group -> time(runs, group, pointer)));
            }
        }
        return "\n" + TextTable.of(columns, groups);
    }

    private static boolean isElapsed(List<JsonNode> runs) {
        return runs.stream().anyMatch(run -> run.path("elapsedSeconds").isNumber());
    }

    private static String title(String phase) {
        return phase.equals("warmUp") ? "warm-up" : phase;
    }

    private static String time(List<JsonNode> runs, JsonNode group, String pointer) {
        return meanOf(runs, group, pointer, rounded("%.3f"));
    }

    private static String error(List<JsonNode> runs, JsonNode group) {
        return meanOf(runs, group, "/predictionError", it -> rounded("%+.1f %%").apply(100 * it));
    }

    private static String epoch(List<JsonNode> runs, JsonNode group, String figure) {
        return meanOf(runs, group, "/" + figure, rounded("%.3f"));
    }

    /**
     * Returns the mean over the runs of a group that have the figure.
     *
     * @param figure its JSON pointer
     */
    private static String meanOf(
            List<JsonNode> runs, JsonNode group, String figure, DoubleFunction<String> format) {
        Set<String> own = group.path("runs").valueStream().map(JsonNode::asString).collect(toSet());
        OptionalDouble mean =
                runs.stream()
                        .filter(run -> own.contains(run.path("run").asString()))
                        .map(run -> run.at(figure))
                        .filter(JsonNode::isNumber)
                        .mapToDouble(JsonNode::asDouble)
                        .average();
        return mean.isPresent() ? format.apply(mean.getAsDouble()) : UNKNOWN;
    }

    /** Formats the orders of the groups, with ties; empty for a single group. */
    private static String rankings(JsonNode comparison, List<JsonNode> groups) {
        List<JsonNode> rankings = comparison.path("rankings").valueStream().toList();
        String ordered =
                rankings.stream()
                        .filter(it -> !it.path("ties").isEmpty())
                        .map(it -> ranking(it, groups))
                        .collect(joining());
        boolean isUnranked = rankings.stream().anyMatch(it -> !it.path("unranked").isEmpty());
        return (rankings.isEmpty() ? "" : "\n") + ordered + (isUnranked ? UNRANKED : "");
    }

    private static String ranking(JsonNode ranking, List<JsonNode> groups) {
        List<JsonNode> ties = ranking.path("ties").valueStream().toList();
        return "%s: %s%n"
                .formatted(
                        ORDERS.getOrDefault(ranking.path("figure").asString(), "Best first"),
                        IntStream.range(0, ties.size())
                                .mapToObj(i -> "%d. %s".formatted(i + 1, tie(ties.get(i), groups)))
                                .collect(joining("; ")));
    }

    private static String tie(JsonNode tie, List<JsonNode> groups) {
        String labels =
                tie.valueStream()
                        .map(it -> RunLabel.label(groups.get(it.asInt())))
                        .collect(joining(" = "));
        return tie.size() == 1 ? labels : labels + " (tie)";
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
        return spread(group.path("accuracyDifference"), rounded("%+.4f"));
    }

    private static String toTarget(JsonNode group) {
        JsonNode estimate = figure(group, "secondsToTarget");
        return group.path("completed").asInt() > 0 && !estimate.isObject()
                ? "reached by %d".formatted(group.path("reached").asInt())
                : spread(estimate) + timeRatio(group, "timeToTarget");
    }

    private static String speedup(JsonNode group) {
        JsonNode ratio = group.path("ratios").path("trainingTime");
        return ratio.isNumber()
                ? rounded("%.3f").apply(ratio.asDouble())
                        + interval(
                                group.path("ratioEstimates").path("trainingTime"), rounded("%.3f"))
                : UNKNOWN;
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
        return spread(seconds, ComparisonReport::seconds);
    }

    private static String spread(JsonNode estimate, DoubleFunction<String> format) {
        return mean(estimate, format) + interval(estimate, format);
    }

    /** Formats the interval of an estimate, as the service computed it; empty without one. */
    private static String interval(JsonNode estimate, DoubleFunction<String> format) {
        return estimate.path("low").isNumber()
                ? " [%s, %s]"
                        .formatted(
                                format.apply(estimate.path("low").asDouble()),
                                format.apply(estimate.path("high").asDouble()))
                : "";
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
