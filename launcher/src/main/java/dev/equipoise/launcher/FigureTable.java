package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Formats published figures beside those of runs as a Markdown table. */
final class FigureTable {

    private static final String HEAD =
            """
            | paper | figure | published | ours | distance |
            | --- | --- | --- | --- | --- |
            """;

    private static final double PERCENT = 100;

    /** Four significant digits show a distance of a tenth of a percent. */
    private static final MathContext DIGITS = new MathContext(4);

    /** All digits of a published figure, without those of its binary fraction. */
    private static final MathContext PUBLISHED_DIGITS = new MathContext(9);

    private FigureTable() {}

    /**
     * A published figure with the one of runs.
     *
     * @param paper short name of the paper, and the preset that follows it
     * @param published fields what, value or range, unit and where
     * @param otherScale scale of the runs, unless it is the preferred one
     */
    record Line(
            String paper,
            String preset,
            JsonNode published,
            Outcome outcome,
            Optional<String> otherScale) {}

    static String of(List<Line> lines) {
        return HEAD + lines.stream().map(FigureTable::row).collect(joining());
    }

    private static String row(Line line) {
        JsonNode published = line.published();
        return Stream.of(
                        "%s, `%s`".formatted(line.paper(), line.preset()),
                        "%s (%s)"
                                .formatted(
                                        published.path("what").asString(),
                                        published.path("where").asString()),
                        published(published),
                        ours(line),
                        distance(line.outcome(), published))
                .map(FigureTable::escaped)
                .collect(joining(" | ", "| ", " |\n"));
    }

    private static String escaped(String cell) {
        return cell.replace("|", "\\|").replace('\n', ' ');
    }

    /** Formats a published figure with its unit. */
    static String published(JsonNode figure) {
        return extent(
                least(figure), most(figure), figure.path("unit").asString(), PUBLISHED_DIGITS);
    }

    private static String ours(Line line) {
        String ours = ours(line.outcome(), line.published().path("unit").asString());
        return line.otherScale().map(it -> "%s (%s)".formatted(ours, it)).orElse(ours);
    }

    private static String ours(Outcome outcome, String unit) {
        return switch (outcome) {
            case Outcome.Measured it -> extent(it.least(), it.most(), unit, DIGITS);
            case Outcome.Absent it -> it.reason();
        };
    }

    private static String extent(double least, double most, String unit, MathContext digits) {
        String first = number(least, digits);
        String last = number(most, digits);
        return first.equals(last)
                ? "%s %s".formatted(first, unit)
                : "%s to %s %s".formatted(first, last, unit);
    }

    private static String number(double value, MathContext digits) {
        return new BigDecimal(value).round(digits).stripTrailingZeros().toPlainString();
    }

    /**
     * Formats the distance of a figure of runs from the published one: the greatest signed distance
     * from the nearest end of a range, relative to that end unless both count in percent.
     */
    private static String distance(Outcome outcome, JsonNode published) {
        return switch (outcome) {
            case Outcome.Absent _ -> "";
            case Outcome.Measured it -> distance(it, published);
        };
    }

    private static String distance(Outcome.Measured ours, JsonNode published) {
        double below = ours.least() - least(published);
        double above = ours.most() - most(published);
        boolean isRange = published.path("range").isArray();
        if (isRange && below >= 0 && above <= 0) {
            return "within";
        }
        boolean isAbove = above >= -below;
        double gap = isAbove ? above : below;
        return isInPoints(published)
                ? String.format(Locale.ROOT, "%+.2f points", gap)
                : relative(gap, isAbove ? most(published) : least(published));
    }

    private static String relative(double gap, double published) {
        return published == 0
                ? ""
                : String.format(Locale.ROOT, "%+.1f %%", PERCENT * gap / Math.abs(published));
    }

    private static boolean isInPoints(JsonNode published) {
        String unit = published.path("unit").asString();
        return unit.equals("%") || unit.equals("points");
    }

    private static double least(JsonNode published) {
        JsonNode range = published.path("range");
        return range.isArray() ? range.path(0).asDouble() : published.path("value").asDouble();
    }

    private static double most(JsonNode published) {
        JsonNode range = published.path("range");
        return range.isArray() ? range.path(1).asDouble() : published.path("value").asDouble();
    }
}
