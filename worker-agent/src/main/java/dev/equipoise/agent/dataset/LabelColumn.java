package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.DisplayText;
import dev.equipoise.protocol.dataset.OwnSpec.Csv;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Label column of the files of a data set. The first label of the first file decides whether labels
 * are class numbers or class names. Names get numbers in their sorted order, by UTF-16 code units,
 * over all files, so that all ranks number them alike. A column of known classes takes both.
 */
final class LabelColumn {

    /** Result for a label that breaks the rule. */
    static final int INVALID = -1;

    private static final int MAX_LISTED = 10;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private final int classes;
    private Kind kind;

    /** Names by their first appearance. */
    private final Map<String, Integer> names = new HashMap<>();

    private enum Kind {
        OPEN,
        NUMBERS,
        NAMES,
        KNOWN
    }

    private LabelColumn(int classes, Kind kind) {
        this.classes = classes;
        this.kind = kind;
    }

    /** Creates a column of class numbers or class names. */
    static LabelColumn of(int classes) {
        return new LabelColumn(classes, Kind.OPEN);
    }

    static LabelColumn ofNumbers(int classes) {
        return new LabelColumn(classes, Kind.NUMBERS);
    }

    /**
     * Creates a column that a file may omit, of class numbers or the names of known classes.
     *
     * @param names by class number; empty for numbers only
     */
    static LabelColumn ofKnown(int classes, List<String> names) {
        var column = new LabelColumn(classes, Kind.KNOWN);
        for (int number = 0; number < names.size(); number++) {
            column.names.putIfAbsent(names.get(number), number);
        }
        return column;
    }

    /** Returns whether a file may omit the column. */
    boolean isOptional() {
        return kind == Kind.KNOWN;
    }

    /**
     * Reads a label.
     *
     * @return a number that {@link #numbers} turns into that of the class; {@link #INVALID} for a
     *     label that breaks the {@link #rule}
     */
    int read(String label) {
        if (kind == Kind.OPEN) {
            kind = CsvCells.isNumber(label) ? Kind.NUMBERS : Kind.NAMES;
        }
        return switch (kind) {
            case OPEN, NAMES -> name(label);
            case NUMBERS -> number(label);
            case KNOWN -> names.containsKey(label) ? name(label) : number(label);
        };
    }

    private int number(String label) {
        if (!NUMBER.matcher(label).matches()) {
            return INVALID;
        }
        int number = Integer.parseInt(label);
        return number < classes ? number : INVALID;
    }

    private int name(String label) {
        Integer known = names.get(label);
        if (known != null) {
            return known;
        }
        if (label.isBlank()
                || label.length() > Csv.MAX_CLASS_NAME
                || !DisplayText.isValid(label)
                || names.size() == Csv.MAX_CLASS_NAMES) {
            return INVALID;
        }
        names.put(label, names.size());
        return names.size() - 1;
    }

    /** Returns the rule of labels, for messages. */
    String rule() {
        return kind == Kind.NAMES
                ? ("the last column must be a class name, one of at most %d, of 1 to %d characters"
                                + " without control characters")
                        .formatted(Csv.MAX_CLASS_NAMES, Csv.MAX_CLASS_NAME)
                : "the last column must be a class from 0 to %d%s"
                        .formatted(classes - 1, names.isEmpty() ? "" : " or its name");
    }

    /**
     * Returns the class names in the order of the class numbers; empty if labels are numbers.
     *
     * @param folder of the files, for the message
     * @throws DatasetInvalid when there are more or fewer than the definition has classes
     */
    List<String> names(String folder) {
        if (kind == Kind.NAMES && names.size() != classes) {
            throw new DatasetInvalid(
                    "the label columns in %s must have %d class names, as the definition has classes, but have %d: %s"
                            .formatted(folder, classes, names.size(), listed()));
        }
        return sorted();
    }

    private List<String> sorted() {
        return names.keySet().stream().sorted().toList();
    }

    private String listed() {
        String some =
                sorted().stream()
                        .limit(MAX_LISTED)
                        .map(CsvCells::shown)
                        .collect(Collectors.joining(", "));
        return names.size() > MAX_LISTED ? some + ", ..." : some;
    }

    /** Turns the labels that were read from all files into class numbers, in place. */
    int[] numbers(int[] labels) {
        if (kind == Kind.NAMES) {
            List<String> sorted = sorted();
            int[] numbers = new int[sorted.size()];
            for (int number = 0; number < numbers.length; number++) {
                numbers[names.getOrDefault(sorted.get(number), 0)] = number;
            }
            Arrays.setAll(labels, i -> numbers[labels[i]]);
        }
        return labels;
    }
}
