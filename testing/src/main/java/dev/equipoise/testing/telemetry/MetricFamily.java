package dev.equipoise.testing.telemetry;

import static java.util.stream.Collectors.toSet;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Metric of a scrape, with all its time series.
 *
 * @param name as Prometheus shows it, with {@code _total} if it is a counter
 * @param type {@code counter}, {@code gauge}, {@code histogram} or {@code summary}
 * @param help description; empty if it has none
 * @param labels names of the labels, without {@code le} of buckets and {@code quantile}
 */
public record MetricFamily(String name, String type, String help, Set<String> labels) {

    /** Base units of Prometheus, in which names end; other metrics count things. */
    static final List<String> UNITS = List.of("seconds", "bytes");

    private static final Pattern UNIT =
            Pattern.compile("\\w+_(" + String.join("|", UNITS) + ")(?:_max|_total)?");

    private static final Pattern OTHER_UNIT =
            Pattern.compile(
                    "\\w+_(?:ns|nanoseconds|us|microseconds|ms|millis|milliseconds|minutes|hours"
                            + "|days|bits|kilobytes|megabytes|percent)(?:_max|_total)?");

    private static final Pattern BEGIN = Pattern.compile("^# HELP ", Pattern.MULTILINE);

    private static final Pattern HEAD =
            Pattern.compile("(?<name>\\S+) (?<help>.*)\\n# TYPE \\k<name> (?<type>\\w+)\\n");

    private static final Pattern LABEL =
            Pattern.compile("(\\w+)=\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"");

    private static final Set<String> PARTS = Set.of("le", "quantile");

    public MetricFamily {
        labels = Set.copyOf(labels);
    }

    /**
     * Reads the metrics of a scrape.
     *
     * @param scrape response in Prometheus' text format, version 0.0.4
     * @throws IllegalArgumentException if it has another format
     */
    public static List<MetricFamily> read(String scrape) {
        return BEGIN.splitAsStream(scrape)
                .filter(it -> !it.isEmpty())
                .map(MetricFamily::of)
                .toList();
    }

    private static MetricFamily of(String text) {
        Matcher head = HEAD.matcher(text);
        if (!head.lookingAt()) {
            throw new IllegalArgumentException("not a metric with its help and type: " + text);
        }
        String name = head.group("name");
        String samples = text.substring(head.end());
        if (!samples.lines().allMatch(it -> it.startsWith(name))) {
            throw new IllegalArgumentException("not only samples of " + name + ": " + samples);
        }
        return new MetricFamily(
                name,
                head.group("type"),
                head.group("help").strip(),
                LABEL.matcher(samples)
                        .results()
                        .map(it -> it.group(1))
                        .filter(it -> !PARTS.contains(it))
                        .collect(toSet()));
    }

    /** Returns the unit in which the name ends; empty if the metric counts things. */
    Optional<String> unit() {
        Matcher unit = UNIT.matcher(name);
        return unit.matches() ? Optional.of(unit.group(1)) : Optional.empty();
    }

    /** Returns the rules of Prometheus that the metric breaks; empty if it keeps all. */
    List<String> faults() {
        return Stream.of(
                        fault(help.isEmpty(), "has no help text"),
                        fault(
                                type.equals("counter") != name.endsWith("_total"),
                                "is a %s: the names of counters, and only they, end in _total"
                                        .formatted(type)),
                        fault(
                                OTHER_UNIT.matcher(name).matches(),
                                "is in no base unit: use one of " + UNITS))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> fault(boolean isFound, String text) {
        return isFound ? Optional.of(name + " " + text) : Optional.empty();
    }
}
