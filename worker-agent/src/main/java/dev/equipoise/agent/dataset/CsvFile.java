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
 * Rows of numbers with commas between them, the class in the last column; no header, no quotes.
 *
 * @param features columns but the last
 */
record CsvFile(Content content, int features, int classes) {
    private static final int SHOWN = 40;
    private static final int FIRST_ROOM = 1024;

    /** The rows without their classes, one after the other, and their classes. */
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
        int mostRows = DatasetSpec.MOST_NUMBERS / features;
        int room = Math.min(FIRST_ROOM, mostRows);
        float[] values = new float[Math.multiplyExact(room, features)];
        int[] labels = new int[room];
        int rows = 0;
        try (BufferedReader lines = lines()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (rows == mostRows) {
                    throw content.brokenIn(
                            rows + 1,
                            "must hold at most %d rows of %d columns"
                                    .formatted(mostRows, features + 1));
                }
                if (rows == labels.length) {
                    room = Math.min(2 * rows, mostRows);
                    labels = Arrays.copyOf(labels, room);
                    values = Arrays.copyOf(values, Math.multiplyExact(room, features));
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
            throw cell(text, line, column);
        }
        try {
            float value = Float.parseFloat(text);
            if (Float.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Refused below.
        }
        throw cell(text, line, column);
    }

    private RuntimeException cell(String text, int line, int column) {
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
        return text.substring(0, Math.min(text.length(), SHOWN));
    }
}
