package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.equipoise.protocol.dataset.DatasetSpec;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * CSV rows of numbers, all with a class in one more column or all without. The first line may be a
 * header. A class is a number from 0 or a name. A byte order mark and blank lines at the end are
 * accepted.
 */
final class SampleRows {
    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final int MAX_SHOWN_CHARACTERS = 40;
    private static final int INITIAL_ROWS = 1024;
    private static final Predicate<String> IS_NUMBER =
            Pattern.compile(
                            "[+-]?([0-9]{1,100}\\.?[0-9]{0,100}|\\.[0-9]{1,100})([eE][+-]?[0-9]{1,5})?")
                    .asMatchPredicate();

    private final Content content;
    private final int features;
    private final int classes;
    private final Map<String, Integer> classesByName = new HashMap<>();
    private float[] values;
    private int[] labels;
    private int rows;

    /** Columns of the first row. */
    private int columns;

    /** Number of the current line, from 1. */
    private int line;

    /** First of the blank lines directly before the current one; 0 if there are none. */
    private int blankLine;

    private SampleRows(Content content, int features, int classes, List<String> classNames) {
        this.content = content;
        this.features = features;
        this.classes = classes;
        for (int label = 0; label < classNames.size(); label++) {
            classesByName.putIfAbsent(classNames.get(label), label);
        }
        int capacity = Math.min(INITIAL_ROWS, maxRows());
        this.values = new float[capacity * features];
        this.labels = new int[capacity];
    }

    /** Reads all rows of a file. */
    static SampleRows read(Content content, int features, int classes, List<String> classNames) {
        var rows = new SampleRows(content, features, classes, classNames);
        rows.readLines();
        rows.end();
        return rows;
    }

    /** Returns the features of all rows, one row after the other. */
    float[] values() {
        return values;
    }

    /** Returns the classes of all rows; 0 without labels. */
    int[] labels() {
        return labels;
    }

    boolean areLabeled() {
        return columns == features + 1;
    }

    private int maxRows() {
        return DatasetSpec.MAX_NUMBERS / features;
    }

    private void readLines() {
        try (BufferedReader lines = lines()) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                readLine(line == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readLine(String text) {
        if (text.isBlank()) {
            blankLine = blankLine == 0 ? line : blankLine;
            return;
        }
        if (blankLine > 0) {
            throw content.brokenIn(blankLine, "must not be blank, as other lines follow");
        }
        List<String> cells = cells(text);
        if (line > 1 || !isHeader(cells)) {
            add(cells);
        }
    }

    private static List<String> cells(String text) {
        return Arrays.stream(text.split(",", -1)).map(SampleRows::unquoted).toList();
    }

    /** Returns a cell without the quotes that spreadsheets put around texts. */
    private static String unquoted(String cell) {
        String text = cell.strip();
        boolean isQuoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        return isQuoted ? text.substring(1, text.length() - 1) : text;
    }

    private void end() {
        if (rows == 0) {
            throw content.brokenIn(1, "must hold at least one row");
        }
        values = Arrays.copyOf(values, rows * features);
        labels = Arrays.copyOf(labels, rows);
    }

    private BufferedReader lines() {
        return new BufferedReader(
                new InputStreamReader(new ByteArrayInputStream(content.bytes()), UTF_8));
    }

    /** Returns whether no cell is a number; a row has numbers in all columns but the last. */
    private static boolean isHeader(List<String> cells) {
        return cells.stream().noneMatch(IS_NUMBER);
    }

    private void add(List<String> cells) {
        requireColumns(cells.size());
        if (rows == labels.length) {
            grow();
        }
        for (int column = 0; column < features; column++) {
            values[rows * features + column] = value(cells.get(column), column);
        }
        labels[rows] = areLabeled() ? label(cells.getLast()) : 0;
        rows++;
    }

    private void requireColumns(int count) {
        if (rows == 0) {
            columns = count;
        }
        if (count != columns || (columns != features && columns != features + 1)) {
            throw content.brokenIn(
                    line,
                    "must have %d columns, or %d with a class, like all rows, but has %d"
                            .formatted(features, features + 1, count));
        }
    }

    private void grow() {
        if (rows == maxRows()) {
            throw content.brokenIn(
                    line, "must hold at most %d rows of %d columns".formatted(rows, columns));
        }
        int capacity = Math.min(2 * rows, maxRows());
        labels = Arrays.copyOf(labels, capacity);
        values = Arrays.copyOf(values, capacity * features);
    }

    private float value(String cell, int column) {
        float value = IS_NUMBER.test(cell) ? Float.parseFloat(cell) : Float.NaN;
        if (!Float.isFinite(value)) {
            throw content.brokenIn(
                    line,
                    "column %d must be a finite number, but was '%s'"
                            .formatted(column + 1, shown(cell)));
        }
        return value;
    }

    private int label(String cell) {
        Integer named = classesByName.get(cell);
        if (named != null) {
            return named;
        }
        if (cell.matches("[0-9]{1,9}") && Integer.parseInt(cell) < classes) {
            return Integer.parseInt(cell);
        }
        String orName = classesByName.isEmpty() ? "" : " or its name";
        throw content.brokenIn(
                line,
                "the last column must be a class from 0 to %d%s, but was '%s'"
                        .formatted(classes - 1, orName, shown(cell)));
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), MAX_SHOWN_CHARACTERS));
    }
}
