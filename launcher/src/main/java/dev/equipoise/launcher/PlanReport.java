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

/** Formats a plan as a text table, with reasons and caveats. */
final class PlanReport {

    private static final int MAX_LINES = 12;
    private static final double MEGA = 1e6;
    private static final String UNKNOWN = "-";
    private static final String TIES =
            "Configurations of a tie overlap the first of it; their order within it is unknown.\n";

    private PlanReport() {}

    static String of(JsonNode plan) {
        List<JsonNode> shown = shown(plan.path("ranking").valueStream().toList());
        return shown.isEmpty()
                ? excluded(plan)
                : TextTable.of(columns(plan.path("target")), shown)
                        + "\n"
                        + reasons(shown)
                        + "\n"
                        + plan.path("advice").asString("")
                        + "\n"
                        + TIES
                        + meanError(plan)
                        + caveats(shown)
                        + excluded(plan);
    }

    /** Returns the best configurations, and the submitted one wherever it ranks. */
    private static List<JsonNode> shown(List<JsonNode> ranking) {
        return Stream.concat(
                        ranking.stream().limit(MAX_LINES),
                        ranking.stream().skip(MAX_LINES).filter(PlanReport::isSubmitted))
                .toList();
    }

    private static boolean isSubmitted(JsonNode entry) {
        return entry.path("own").asBoolean();
    }

    private static List<Column> columns(JsonNode target) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("", PlanReport::label));
        columns.add(new Column("tie", it -> it.path("tie").asString()));
        columns.add(secondsColumn("s an epoch", "epochSeconds"));
        columns.add(new Column("epoch expected", it -> between(it, "epochSeconds")));
        columns.add(secondsColumn("compute s", "computeSeconds"));
        columns.add(secondsColumn("exchange s", "exchangeSeconds"));
        columns.add(new Column("MB sent", it -> rounded("%.1f", it.path("bytes"), MEGA)));
        if (target.isNumber()) {
            columns.add(secondsColumn("s to " + target, "secondsToTarget"));
            columns.add(new Column("target expected", it -> between(it, "secondsToTarget")));
        }
        return columns;
    }

    private static Column secondsColumn(String name, String field) {
        return new Column(name, it -> seconds(it.path(field)));
    }

    /** Marks the submitted configuration with a star. */
    private static String label(JsonNode entry) {
        return (isSubmitted(entry) ? "* " : "  ") + entry.path("label").asString();
    }

    /** Formats the prediction interval of a time, as the service computed it. */
    private static String between(JsonNode entry, String field) {
        JsonNode low = entry.path(field + "Low");
        return low.isNumber()
                ? "%s to %s".formatted(seconds(low), seconds(entry.path(field + "High")))
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

    private static String reasons(List<JsonNode> shown) {
        return IntStream.range(0, shown.size())
                .mapToObj(i -> reason(i + 1, shown.get(i)))
                .collect(joining());
    }

    private static String reason(int number, JsonNode entry) {
        return "%d. %s: %s%s\n"
                .formatted(
                        number,
                        entry.path("label").asString(),
                        entry.path("reason").asString(),
                        settings(entry));
    }

    /** Lists each caveat once, with the numbers of the configurations that have it. */
    private static String caveats(List<JsonNode> shown) {
        Map<String, List<String>> numbers = new LinkedHashMap<>();
        for (int i = 0; i < shown.size(); i++) {
            for (JsonNode caveat : shown.get(i).path("doubts")) {
                numbers.computeIfAbsent(caveat.asString(), _ -> new ArrayList<>())
                        .add(String.valueOf(i + 1));
            }
        }
        return numbers.entrySet().stream()
                .map(caveat ->
                        "Caveat%s: %s%n"
                                .formatted(
                                        caveat.getValue().size() == shown.size()
                                                ? ""
                                                : " for " + String.join(", ", caveat.getValue()),
                                        caveat.getKey()))
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

    private static String meanError(JsonNode plan) {
        JsonNode error = plan.at("/trust/meanAbsoluteError");
        return error.isNumber()
                ? String.format(
                        Locale.ROOT,
                        "Predictions of %d earlier runs have a mean absolute error of %.1f %%.%n",
                        plan.at("/trust/runs").asInt(),
                        100 * error.asDouble())
                : "No completed run has tested such predictions yet.\n";
    }

    private static String excluded(JsonNode plan) {
        return plan.path("leftOut")
                .valueStream()
                .map(it -> "Excluded: %s%n".formatted(it.asString()))
                .collect(joining());
    }
}
