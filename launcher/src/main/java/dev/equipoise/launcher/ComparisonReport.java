package dev.equipoise.launcher;

import static java.util.stream.Collectors.toSet;

import dev.equipoise.launcher.TextTable.Column;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A comparison as tables for people, of what the runs reached, of what that cost, and where they
 * were predicted, of how far off that was: a line for each group of runs that differ by their
 * seeds.
 */
final class ComparisonReport {

    private static final String UNKNOWN = "-";
    private static final Column LABEL = new Column("", group -> group.path("label").asString());

    private static final String LEGEND =
            """
            Means over the runs that completed, ± half their 95 % interval; the difference is to the
            first line, seed by seed. In brackets: how many times less than in the first line.
            Of transfer, wait and the like each replica has its own: their mean.
            """;
    private static final String REPLICAS =
            "Replicas is the accuracy of the replicas one by one: the mean of these.\n";
    private static final String HIDDEN =
            "Hidden is what is exchanged in the background, and in no other column.\n";

    private ComparisonReport() {}

    static String of(JsonNode comparison) {
        List<JsonNode> groups = comparison.path("groups").valueStream().toList();
        return TextTable.of(reached(comparison.path("target"), groups), groups)
                + "\n"
                + TextTable.of(costs(groups), groups)
                + predicted(comparison.path("runs").valueStream().toList(), groups)
                + LEGEND
                + (isAny(groups, "replicaAccuracy") ? REPLICAS : "")
                + (isAny(groups, "hiddenSeconds") ? HIDDEN : "");
    }

    private static List<Column> reached(JsonNode target, List<JsonNode> groups) {
        Stream<Column> always =
                Stream.of(
                        LABEL,
                        new Column("runs", ComparisonReport::runs),
                        new Column(
                                "accuracy",
                                group -> spread(figure(group, "finalAccuracy"), rounded("%.4f"))),
                        new Column(
                                "best",
                                group -> mean(figure(group, "bestAccuracy"), rounded("%.4f"))),
                        new Column(
                                "difference",
                                group ->
                                        spread(
                                                group.path("accuracyDifference"),
                                                rounded("%+.4f"),
                                                rounded("%.4f"))));
        Stream<Column> withTarget =
                Stream.of(
                        new Column("s to " + target, ComparisonReport::toTarget),
                        new Column(
                                "MB to " + target,
                                group ->
                                        mean(
                                                        figure(group, "bytesToTarget"),
                                                        ComparisonReport::megabytes)
                                                + fewer(group, "bytesToTarget")));
        return Stream.of(
                        always,
                        isAny(groups, "replicaAccuracy")
                                ? Stream.of(
                                        new Column(
                                                "replicas",
                                                group ->
                                                        mean(
                                                                figure(group, "replicaAccuracy"),
                                                                rounded("%.4f"))))
                                : Stream.<Column>empty(),
                        target.isNumber() ? withTarget : Stream.<Column>empty())
                .flatMap(columns -> columns)
                .toList();
    }

    private static List<Column> costs(List<JsonNode> groups) {
        return Stream.of(
                        Stream.of(
                                LABEL,
                                new Column(
                                        "training s",
                                        group -> spread(figure(group, "trainingSeconds"))),
                                new Column("speed-up", ComparisonReport::speedup),
                                new Column(
                                        "transfer s",
                                        group ->
                                                seconds(group, "communicationSeconds")
                                                        + less(group, "communicationTime")),
                                new Column(
                                        "with wait s",
                                        group ->
                                                seconds(group, "synchronizationSeconds")
                                                        + less(group, "synchronizationTime"))),
                        ifAny(groups, "hidden s", "hiddenSeconds"),
                        ifAny(groups, "encode s", "encodeSeconds"),
                        Stream.of(
                                new Column(
                                        "MB sent",
                                        group ->
                                                mean(
                                                                figure(group, "bytesSent"),
                                                                ComparisonReport::megabytes)
                                                        + fewer(group, "bytesSent"))))
                .flatMap(columns -> columns)
                .toList();
    }

    private static String predicted(List<JsonNode> runs, List<JsonNode> groups) {
        return runs.stream().noneMatch(run -> run.path("predictionError").isNumber())
                ? ""
                : "\n"
                        + TextTable.of(
                                List.of(
                                        LABEL,
                                        new Column(
                                                "epoch s",
                                                group -> epoch(runs, group, "epochSeconds")),
                                        new Column(
                                                "predicted s",
                                                group ->
                                                        epoch(
                                                                runs,
                                                                group,
                                                                "predictedEpochSeconds")),
                                        new Column(
                                                "off",
                                                group ->
                                                        meanOf(
                                                                runs,
                                                                group,
                                                                "predictionError",
                                                                it ->
                                                                        rounded("%+.1f %%")
                                                                                .apply(100 * it)))),
                                groups);
    }

    private static String epoch(List<JsonNode> runs, JsonNode group, String figure) {
        return meanOf(runs, group, figure, rounded("%.3f"));
    }

    /** Over the runs of a group that have it. */
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

    private static Stream<Column> ifAny(List<JsonNode> groups, String name, String figure) {
        return isAny(groups, figure)
                ? Stream.of(new Column(name, group -> seconds(group, figure)))
                : Stream.empty();
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

    private static String toTarget(JsonNode group) {
        JsonNode estimate = figure(group, "secondsToTarget");
        return group.path("completed").asInt() > 0 && !estimate.isObject()
                ? "reached by %d".formatted(group.path("reached").asInt())
                : spread(estimate) + less(group, "timeToTarget");
    }

    private static String speedup(JsonNode group) {
        JsonNode ratio = group.path("ratios").path("trainingTime");
        return ratio.isNumber() ? rounded("%.3f").apply(ratio.asDouble()) : UNKNOWN;
    }

    /**
     * Ratios of times are those of the first line over its own: beside a first line without any
     * there is nothing to tell.
     */
    private static String less(JsonNode group, String ratio) {
        double times = group.path("ratios").path(ratio).asDouble(0);
        return times > 0 ? rounded(" (%.2f)").apply(times) : "";
    }

    /** Ratios of bytes are its own over those of the first line. */
    private static String fewer(JsonNode group, String ratio) {
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

    /** Below a second, three digits that say something. */
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
