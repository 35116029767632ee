package dev.equipoise.testing.telemetry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Table of a page that documents the metrics of a program. A name that ends in {@code *} stands for
 * all metrics of a library with this prefix that have no row of their own.
 */
public final class MetricTable {

    private static final String HEAD = "| metric | type | unit | meaning |";

    private final List<Row> rows;

    private MetricTable(List<Row> rows) {
        this.rows = rows;
    }

    /**
     * Reads the first table of metrics between a heading and the next one.
     *
     * @param page path from the root of the repository, for example {@code docs/observability.md}
     * @param heading line of the heading, with its {@code #}
     * @throws AssertionError if there is no such table, or a row of it has another form
     */
    public static MetricTable of(String page, String heading) {
        try {
            return read(Files.readString(Path.of("..").resolve(page)), heading);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static MetricTable read(String text, String heading) {
        List<Row> rows =
                text.lines()
                        .dropWhile(it -> !it.equals(heading))
                        .skip(1)
                        .takeWhile(it -> !it.matches("#+ .*"))
                        .dropWhile(it -> !it.equals(HEAD))
                        .skip(2)
                        .takeWhile(it -> it.startsWith("|"))
                        .map(Row::of)
                        .toList();
        if (rows.isEmpty()) {
            throw new AssertionError(
                    "there is no table with the head \"%s\" below \"%s\"".formatted(HEAD, heading));
        }
        return new MetricTable(rows);
    }

    /**
     * Returns the differences between the table and the metrics that a program exposes, each with
     * what to write; empty if there are none. Rows of a prefix tell neither type, unit nor labels.
     */
    public List<String> faults(List<MetricFamily> exposed) {
        List<String> faults = new ArrayList<>();
        Set<Row> unused = new LinkedHashSet<>(rows);
        for (MetricFamily family : exposed) {
            Optional<Row> row = row(family.name());
            row.ifPresent(unused::remove);
            faults.addAll(
                    row.map(it -> it.faults(family))
                            .orElseGet(() -> List.of(family.name() + " has no row: add one")));
        }
        unused.forEach(it -> faults.add(it.name + " is the name of no metric: remove its row"));
        return faults;
    }

    /** Returns the row of the name itself, or else that of its longest prefix. */
    private Optional<Row> row(String metric) {
        return rows.stream()
                .filter(it -> it.covers(metric))
                .max(Comparator.comparingInt(it -> it.name.length()));
    }

    private record Row(String name, Set<String> labels, String type, String unit) {

        private static final Pattern NAME =
                Pattern.compile("`(?<name>\\w+\\*?)(?:\\{(?<labels>[\\w,]+)})?`");

        static Row of(String line) {
            List<String> cells = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
            Matcher name = NAME.matcher(cells.get(1));
            if (cells.size() < 6 || !name.matches()) {
                throw new AssertionError(
                        "the row \"%s\" must have a name such as `name{label}` and three more cells"
                                .formatted(line));
            }
            String labels = name.group("labels");
            return new Row(
                    name.group("name"),
                    labels == null ? Set.of() : Set.of(labels.split(",", -1)),
                    cells.get(2),
                    cells.get(3));
        }

        private boolean isPrefix() {
            return name.endsWith("*");
        }

        boolean covers(String metric) {
            return isPrefix()
                    ? metric.startsWith(name.substring(0, name.length() - 1))
                    : metric.equals(name);
        }

        List<String> faults(MetricFamily family) {
            if (isPrefix()) {
                return List.of();
            }
            List<String> faults = new ArrayList<>(family.faults());
            if (!type.equals(family.type())) {
                faults.add(difference("type", type, family.type()));
            }
            if (!labels.equals(family.labels())) {
                faults.add(difference("labels", sorted(labels), sorted(family.labels())));
            }
            if (!isUnitOf(family)) {
                faults.add(difference("unit", unit, family.unit().orElse("a number of things")));
            }
            return faults;
        }

        private boolean isUnitOf(MetricFamily family) {
            return family.unit()
                    .map(unit::equals)
                    .orElse(!unit.isEmpty() && !MetricFamily.UNITS.contains(unit));
        }

        private static String sorted(Set<String> names) {
            return new TreeSet<>(names).toString();
        }

        private String difference(String property, String told, String exposed) {
            return "%s has the %s \"%s\", but \"%s\" in the table"
                    .formatted(name, property, exposed, told);
        }
    }
}
