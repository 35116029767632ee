package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.equipoise.protocol.dataset.DatasetSpec;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * CSV file with rows of numbers and the class in the last column; no header, no quotes.
 *
 * @param features number of columns without the last one
 */
record CsvFile(Content content, int features, int classes) {
    private static final int MAX_SHOWN_CHARACTERS = 40;
    private static final int INITIAL_ROWS = 1024;

    /** Features of all rows, one row after the other, and their classes. */
    static final class Rows {
        private final float[] values;
        private final int[] labels;

        private Rows(float[] values, int[] labels) {
            this.values = values;
            this.labels = labels;
        }

        float[] values() {
            return values;
        }

        int[] labels() {
            return labels;
        }
    }

    Rows read() {
        int maxRows = DatasetSpec.MAX_NUMBERS / features;
        int capacity = Math.min(INITIAL_ROWS, maxRows);
        float[] values = new float[Math.multiplyExact(capacity, features)];
        int[] labels = new int[capacity];
        int rows = 0;
        try (BufferedReader lines = lines()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (rows == maxRows) {
                    throw content.brokenIn(
                            rows + 1,
                            "must hold at most %d rows of %d columns"
                                    .formatted(maxRows, features + 1));
                }
                if (rows == labels.length) {
                    capacity = Math.min(2 * rows, maxRows);
                    labels = Arrays.copyOf(labels, capacity);
                    values = Arrays.copyOf(values, Math.multiplyExact(capacity, features));
                }
                labels[rows] = row(line, rows + 1, values, rows * features);
                rows++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (rows == 0) {
            throw content.brokenIn(1, "must hold at least one row");
        }
        return new Rows(Arrays.copyOf(values, rows * features), Arrays.copyOf(labels, rows));
    }

    private BufferedReader lines() {
        return new BufferedReader(
                new InputStreamReader(new ByteArrayInputStream(content.bytes()), UTF_8));
    }

    private int row(String line, int number, float[] values, int at) {
        int start = 0;
        for (int column = 0; column < features; column++) {
            int end = line.indexOf(',', start);
            if (end < 0) {
                throw columns(line, number);
            }
            values[at + column] = value(line.substring(start, end), number, column);
            start = end + 1;
        }
        if (line.indexOf(',', start) >= 0) {
            throw columns(line, number);
        }
        return label(line.substring(start).strip(), number);
    }

    private RuntimeException columns(String line, int number) {
        long found = 1 + line.chars().filter(character -> character == ',').count();
        return content.brokenIn(
                number, "must have %d columns, but has %d".formatted(features + 1, found));
    }

    private float value(String cell, int line, int column) {
        String text = cell.strip();
        if (text.isEmpty() || Character.isLetter(text.charAt(text.length() - 1))) {
            throw badCell(text, line, column);
        }
        try {
            float value = Float.parseFloat(text);
            if (Float.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Falls through to the exception below.
        }
        throw badCell(text, line, column);
    }

    private RuntimeException badCell(String text, int line, int column) {
        return content.brokenIn(
                line,
                "column %d must be a finite number, but was '%s'"
                        .formatted(column + 1, shown(text)));
    }

    private int label(String text, int line) {
        if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) < classes) {
            return Integer.parseInt(text);
        }
        throw content.brokenIn(
                line,
                "the last column must be a class from 0 to %d, but was '%s'"
                        .formatted(classes - 1, shown(text)));
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), MAX_SHOWN_CHARACTERS));
    }
}
