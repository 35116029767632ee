package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.equipoise.protocol.dataset.DatasetSpec;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * CSV rows of numbers, all with a class in one more column or all without. The first line may be a
 * header. A class is a number from 0 or a name.
 */
final class SampleRows {
    private static final int MAX_SHOWN_CHARACTERS = 40;
    private static final int INITIAL_ROWS = 1024;
    private static final Predicate<String> IS_NUMBER =
            Pattern.compile(
                            "[+-]?([0-9]{1,100}\\.?[0-9]{0,100}|\\.[0-9]{1,100})([eE][+-]?[0-9]{1,5})?")
                    .asMatchPredicate();

    private final Content content;
    private final int features;
    private final int classes;
    private final List<String> classNames;
    private float[] values;
    private int[] labels;
    private int rows;

    /** Columns of the first row. */
    private int columns;

    private SampleRows(Content content, int features, int classes, List<String> classNames) {
        this.content = content;
        this.features = features;
        this.classes = classes;
        this.classNames = classNames;
        int capacity = Math.min(INITIAL_ROWS, maxRows());
        this.values = new float[capacity * features];
        this.labels = new int[capacity];
    }

    /** Reads all rows of a file. */
    static SampleRows read(Content content, int features, int classes, List<String> classNames) {
        var rows = new SampleRows(content, features, classes, classNames);
        rows.readLines();
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
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = line.split(",", -1);
                if (number > 1 || !isHeader(cells)) {
                    add(cells, number);
                }
                number++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
    private static boolean isHeader(String[] cells) {
        return Arrays.stream(cells).map(String::strip).noneMatch(IS_NUMBER);
    }

    private void add(String[] cells, int number) {
        requireColumns(cells, number);
        if (rows == labels.length) {
            grow(number);
        }
        for (int column = 0; column < features; column++) {
            values[rows * features + column] = value(cells[column].strip(), number, column);
        }
        labels[rows] = areLabeled() ? label(cells[features].strip(), number) : 0;
        rows++;
    }

    private void requireColumns(String[] cells, int number) {
        if (rows == 0) {
            columns = cells.length;
        }
        if (cells.length != columns || (columns != features && columns != features + 1)) {
            throw content.brokenIn(
                    number,
                    "must have %d columns, or %d with a class, like all rows, but has %d"
                            .formatted(features, features + 1, cells.length));
        }
    }

    private void grow(int number) {
        if (rows == maxRows()) {
            throw content.brokenIn(
                    number, "must hold at most %d rows of %d columns".formatted(rows, columns));
        }
        int capacity = Math.min(2 * rows, maxRows());
        labels = Arrays.copyOf(labels, capacity);
        values = Arrays.copyOf(values, capacity * features);
    }

    private float value(String cell, int number, int column) {
        float value = IS_NUMBER.test(cell) ? Float.parseFloat(cell) : Float.NaN;
        if (!Float.isFinite(value)) {
            throw content.brokenIn(
                    number,
                    "column %d must be a finite number, but was '%s'"
                            .formatted(column + 1, shown(cell)));
        }
        return value;
    }

    private int label(String cell, int number) {
        int named = classNames.indexOf(cell);
        if (named >= 0) {
            return named;
        }
        if (cell.matches("[0-9]{1,9}") && Integer.parseInt(cell) < classes) {
            return Integer.parseInt(cell);
        }
        throw content.brokenIn(
                number,
                "the last column must be a class from 0 to %d%s, but was '%s'"
                        .formatted(
                                classes - 1,
                                classNames.isEmpty() ? "" : " or its name",
                                shown(cell)));
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), MAX_SHOWN_CHARACTERS));
    }
}
