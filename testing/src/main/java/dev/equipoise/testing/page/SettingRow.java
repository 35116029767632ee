package dev.equipoise.testing.page;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Row of a table of settings or of options. A text is empty if the sources lack it.
 *
 * @param name as users write it, for example {@code --port P}
 * @param variable environment variable that sets it, too; empty if there is none
 * @param kind unit or kind of its values, as Markdown
 * @param defaultValue value without the setting, as Markdown
 * @param meaning description without the default, as Markdown
 */
public record SettingRow(
        String name, String variable, String kind, String defaultValue, String meaning) {

    /** Position of the column of environment variables. */
    private static final int VARIABLE = 1;

    /**
     * Creates a row of a description in the sources.
     *
     * @param defaultValue as Markdown; empty for the words after "default:" in the description
     * @param description text of Javadoc, of configuration metadata or of picocli
     */
    public static SettingRow of(
            String name, String variable, Class<?> type, String defaultValue, String description) {
        var told = SettingDescription.of(description);
        return new SettingRow(
                name,
                variable,
                ValueKind.of(type, told.meaning()),
                defaultValue.isEmpty() ? told.defaultValue() : defaultValue,
                told.meaning());
    }

    /** Returns what the sources lack, each with what to write; empty if they lack nothing. */
    public List<String> faults() {
        return Stream.of(
                        fault(meaning.isEmpty(), "has no description"),
                        fault(
                                kind.isEmpty(),
                                "has no unit: begin the description of a number with one of "
                                        + ValueKind.UNITS),
                        fault(
                                name.contains("per-second") && !kind.endsWith("per second"),
                                "has no unit of a rate: begin its description with a unit per"
                                        + " second"),
                        fault(
                                defaultValue.isEmpty(),
                                "has no default: add words such as \"(default: none)\" to its"
                                        + " description"))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> fault(boolean isFound, String text) {
        return isFound ? Optional.of(name + " " + text) : Optional.empty();
    }

    /**
     * Returns a table in Markdown, with a column of environment variables if any row has one.
     *
     * @param subject head of the first column, such as "option"
     */
    public static String table(String subject, List<SettingRow> rows) {
        boolean hasVariables = rows.stream().anyMatch(it -> !it.variable.isEmpty());
        Stream<List<String>> head =
                Stream.of(
                        List.of(subject, "environment variable", "value", "default", "meaning"),
                        Collections.nCopies(5, "---"));
        return Stream.concat(head, rows.stream().map(SettingRow::cells))
                .map(it -> line(it, hasVariables))
                .collect(joining());
    }

    private List<String> cells() {
        String variableCell = variable.isEmpty() ? "" : "`" + variable + "`";
        return List.of("`" + name + "`", variableCell, kind, defaultValue, meaning);
    }

    private static String line(List<String> cells, boolean hasVariables) {
        return IntStream.range(0, cells.size())
                .filter(it -> hasVariables || it != VARIABLE)
                .mapToObj(it -> cells.get(it).replace("|", "\\|"))
                .collect(joining(" | ", "| ", " |\n"));
    }
}
