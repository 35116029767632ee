package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import dev.equipoise.launcher.TextTable.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A plan as a table for people, with its reasons. */
final class PlanReport {

    private static final int MOST_LINES = 12;
    private static final double MEGA = 1e6;
    private static final String UNKNOWN = "-";

    private PlanReport() {}

    static String of(JsonNode plan) {
        List<JsonNode> all = plan.path("ranking").valueStream().toList();
        List<JsonNode> shown =
                Stream.concat(
                                all.stream().limit(MOST_LINES),
                                all.stream().skip(MOST_LINES).filter(PlanReport::isOwn))
                        .toList();
        return shown.isEmpty()
                ? leftOut(plan)
                : TextTable.of(columns(plan.path("target")), shown)
                        + "\n"
                        + IntStream.range(0, shown.size())
                                .mapToObj(i -> reason(i + 1, shown.get(i)))
                                .collect(joining())
                        + "\n"
                        + plan.path("advice").asString("")
                        + "\n"
                        + trust(plan)
                        + doubts(shown)
                        + leftOut(plan);
    }

    private static boolean isOwn(JsonNode entry) {
        return entry.path("own").asBoolean();
    }

    private static List<Column> columns(JsonNode target) {
        Stream<Column> always =
                Stream.of(
                        new Column("", PlanReport::label),
                        new Column("s an epoch", it -> seconds(it.path("epochSeconds"))),
                        new Column("within a factor", PlanReport::factor),
                        new Column("compute s", it -> seconds(it.path("computeSeconds"))),
                        new Column("exchange s", it -> seconds(it.path("exchangeSeconds"))),
                        new Column("MB sent", it -> rounded("%.1f", it.path("bytes"), MEGA)));
        return Stream.concat(
                        always,
                        target.isNumber()
                                ? Stream.of(
                                        new Column(
                                                "s to " + target,
                                                it -> seconds(it.path("secondsToTarget"))))
                                : Stream.<Column>empty())
                .toList();
    }

    /** What the definition itself says bears a star. */
    private static String label(JsonNode entry) {
        return (isOwn(entry) ? "* " : "  ") + entry.path("label").asString();
    }

    private static String factor(JsonNode entry) {
        JsonNode uncertainty = entry.path("uncertainty");
        return uncertainty.isNumber()
                ? String.format(Locale.ROOT, "%.2f", 1 + uncertainty.asDouble())
                : UNKNOWN;
    }

    private static String seconds(JsonNode seconds) {
        return rounded(seconds.asDouble(0) < 1 ? "%.4f" : "%.2f", seconds, 1);
    }

    private static String rounded(String format, JsonNode number, double unit) {
        return number.isNumber()
                ? String.format(Locale.ROOT, format, number.asDouble() / unit)
                : UNKNOWN;
    }

    private static String reason(int number, JsonNode entry) {
        return "%d. %s: %s%s\n"
                .formatted(
                        number,
                        entry.path("label").asString(),
                        entry.path("reason").asString(),
                        settings(entry));
    }

    /** Each once, with the numbers of those that it is about. */
    private static String doubts(List<JsonNode> shown) {
        Map<String, List<String>> numbers = new LinkedHashMap<>();
        for (int i = 0; i < shown.size(); i++) {
            for (JsonNode doubt : shown.get(i).path("doubts")) {
                numbers.computeIfAbsent(doubt.asString(), _ -> new ArrayList<>())
                        .add(String.valueOf(i + 1));
            }
        }
        return numbers.entrySet().stream()
                .map(doubt ->
                        "Doubtful%s: %s%n"
                                .formatted(
                                        doubt.getValue().size() == shown.size()
                                                ? ""
                                                : " in " + String.join(", ", doubt.getValue()),
                                        doubt.getKey()))
                .collect(joining());
    }

    private static String settings(JsonNode entry) {
        String settings =
                entry.path("settings")
                        .valueStream()
                        .map(it -> "--set '%s'".formatted(it.asString()))
                        .collect(joining(" "));
        return settings.isEmpty() ? "" : "\n   " + settings;
    }

    private static String trust(JsonNode plan) {
        JsonNode error = plan.at("/trust/meanAbsoluteError");
        return error.isNumber()
                ? String.format(
                        Locale.ROOT,
                        "Predictions of %d earlier runs were off by %.1f %% on the mean.%n",
                        plan.at("/trust/runs").asInt(),
                        100 * error.asDouble())
                : "No run has shown yet how far such predictions are off.\n";
    }

    private static String leftOut(JsonNode plan) {
        return plan.path("leftOut")
                .valueStream()
                .map(it -> "Left out: %s%n".formatted(it.asString()))
                .collect(joining());
    }
}
