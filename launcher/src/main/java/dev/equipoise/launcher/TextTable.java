package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Lines of text in columns: the first is aligned to the left, the others to the right. */
final class TextTable {

    private TextTable() {}

    /** A column, with its name and the text of each line. */
    record Column(String name, Function<JsonNode, String> cell) {

        private List<String> cells(List<JsonNode> lines) {
            return Stream.concat(Stream.of(name), lines.stream().map(cell)).toList();
        }
    }

    static String of(List<Column> columns, List<JsonNode> lines) {
        List<List<String>> aligned =
                IntStream.range(0, columns.size())
                        .mapToObj(i -> aligned(columns.get(i).cells(lines), i == 0))
                        .toList();
        return IntStream.rangeClosed(0, lines.size())
                .mapToObj(line ->
                        aligned.stream()
                                .map(cells -> cells.get(line))
                                .collect(joining("  ", "", "\n")))
                .collect(joining());
    }

    private static List<String> aligned(List<String> cells, boolean isAtTheLeft) {
        int width = cells.stream().mapToInt(String::length).max().orElse(0);
        String format = "%" + (isAtTheLeft ? "-" : "") + Math.max(1, width) + "s";
        return cells.stream().map(format::formatted).toList();
    }
}
