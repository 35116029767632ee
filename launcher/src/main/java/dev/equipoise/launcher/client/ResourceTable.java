package dev.equipoise.launcher.client;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Formats resources of one kind in columns. */
record ResourceTable(List<ResourceColumn> columns) {

    private static final String GAP = "  ";

    static ResourceTable of(ResourceColumn... columns) {
        return new ResourceTable(List.of(columns));
    }

    /** Returns a line of titles and a line for each resource, aligned to the left. */
    String text(List<JsonNode> items) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(it -> it.name().toUpperCase(Locale.ROOT)).toList());
        items.forEach(item ->
                rows.add(columns.stream().map(it -> clean(it.brief().apply(item))).toList()));
        List<Integer> widths =
                IntStream.range(0, columns.size())
                        .mapToObj(column ->
                                rows.stream().mapToInt(it -> it.get(column).length()).max())
                        .map(it -> it.orElse(0))
                        .toList();
        return rows.stream().map(row -> line(row, widths)).collect(joining());
    }

    private static String line(List<String> row, List<Integer> widths) {
        return IntStream.range(0, row.size())
                        .mapToObj(i -> row.get(i) + " ".repeat(widths.get(i) - row.get(i).length()))
                        .collect(joining(GAP))
                        .stripTrailing()
                + "\n";
    }

    /** Returns a line for each field of one resource that has a value. */
    String details(JsonNode item) {
        int width = columns.stream().mapToInt(it -> it.name().length()).max().orElse(0) + 1;
        return columns.stream()
                .filter(it -> !it.exact().apply(item).isEmpty())
                .map(it -> detail(it, item, width))
                .collect(joining());
    }

    private static String detail(ResourceColumn column, JsonNode item, int width) {
        String name = column.name() + ":";
        return name
                + " ".repeat(width - name.length())
                + GAP
                + clean(column.exact().apply(item))
                + "\n";
    }

    /** Returns comma-separated values as RFC 4180 describes them, with a header line. */
    String csv(List<JsonNode> items) {
        String header = columns.stream().map(ResourceColumn::name).collect(joining(",", "", "\n"));
        return header
                + items.stream()
                        .map(item ->
                                columns.stream()
                                        .map(it -> quoted(it.exact().apply(item)))
                                        .collect(joining(",", "", "\n")))
                        .collect(joining());
    }

    /** Quotes a value, and marks as text what a spreadsheet would take for a formula. */
    private static String quoted(String value) {
        String text = value.matches("(?s)[=+@\\t\\r-].*") && !isNumber(value) ? "'" + value : value;
        return text.matches("(?s).*[\",\\n\\r].*")
                ? "\"" + text.replace("\"", "\"\"") + "\""
                : text;
    }

    private static boolean isNumber(String value) {
        return value.matches("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
    }

    /** Replaces control characters, which could change the terminal. */
    private static String clean(String text) {
        return text.replaceAll("\\p{Cc}", " ");
    }
}
