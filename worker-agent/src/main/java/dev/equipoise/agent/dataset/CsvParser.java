package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.equipoise.protocol.dataset.CsvHeader;
import dev.equipoise.protocol.dataset.DatasetSpec;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses a CSV file: text in UTF-8 with a number in each column but the last, which has the label.
 * If the label column is optional, the first line decides whether all lines have it. A byte order
 * mark, carriage returns, quoted cells and blank lines at the end are accepted.
 */
final class CsvParser {

    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final int INITIAL_ROWS = 1024;

    private final Content content;
    private final int features;
    private final CsvHeader header;
    private final LabelColumn labelColumn;
    private final LineErrors errors;
    private final int maxRows;
    private float[] values;
    private int[] labels;
    private int rows;
    private List<String> columns = List.of();

    /** Number of the current line, from 1. */
    private int line;

    /** Number of blank lines directly before the current one. */
    private int blankLines;

    private boolean hasSamples;
    private boolean isLabeled = true;

    /**
     * @param features number of columns without that of the label
     * @param errors gets the errors of all lines
     */
    CsvParser(
            Content content,
            int features,
            CsvHeader header,
            LabelColumn labelColumn,
            LineErrors errors) {
        this.content = content;
        this.features = features;
        this.header = header;
        this.labelColumn = labelColumn;
        this.errors = errors;
        this.maxRows = DatasetSpec.MAX_NUMBERS / features;
        int capacity = Math.min(INITIAL_ROWS, maxRows);
        this.values = new float[Math.multiplyExact(capacity, features)];
        this.labels = new int[capacity];
    }

    /** Returns the rows without errors; the caller rejects them if there are any errors. */
    CsvRows parse() {
        try (BufferedReader lines = lines()) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                parseLine(line == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
            }
        } catch (CharacterCodingException _) {
            throw content.broken(content.file() + ": must be text in UTF-8");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!hasSamples) {
            errors.add(content, line + 1, "must hold at least one row");
        }
        return new CsvRows(
                columns,
                Arrays.copyOf(values, rows * features),
                Arrays.copyOf(labels, rows),
                isLabeled);
    }

    /** Opens the file with a decoder that rejects what is no UTF-8. */
    private BufferedReader lines() {
        return new BufferedReader(
                new InputStreamReader(
                        new ByteArrayInputStream(content.bytes()), UTF_8.newDecoder()));
    }

    private void parseLine(String text) {
        if (text.isBlank()) {
            blankLines++;
            return;
        }
        for (; blankLines > 0; blankLines--) {
            errors.add(content, line - blankLines, "must not be blank, as other lines follow");
        }
        Optional<List<String>> cells = CsvLine.cells(text);
        if (cells.isEmpty()) {
            hasSamples = true;
            errors.add(content, line, "a quoted cell must end on its line, before a comma");
            return;
        }
        parseCells(cells.get());
    }

    private void parseCells(List<String> cells) {
        if (line == 1 && labelColumn.isOptional()) {
            isLabeled = cells.size() != features;
        }
        boolean isHeader = line == 1 && isHeader(cells);
        hasSamples |= !isHeader;
        String error = isHeader ? readHeader(cells) : readRow(cells);
        if (error != null) {
            errors.add(content, line, error + headerHint(isHeader, cells));
        }
    }

    private boolean isHeader(List<String> cells) {
        return switch (header) {
            case PRESENT -> true;
            case ABSENT -> false;
            case AUTO -> CsvCells.isHeader(cells, isLabeled);
        };
    }

    private String headerHint(boolean isHeader, List<String> cells) {
        boolean isUnexpected = line == 1 && !isHeader && !labelColumn.isOptional();
        return isUnexpected && CsvCells.resemblesHeader(cells)
                ? " (this line looks like a header: set header: true)"
                : "";
    }

    /** Returns what is wrong with the header; null if nothing is. */
    private @Nullable String readHeader(List<String> cells) {
        columns = cells;
        return wrongCount(cells);
    }

    /** Returns what is wrong with a row, which then does not count; null if nothing is. */
    private @Nullable String readRow(List<String> cells) {
        String wrongCount = wrongCount(cells);
        if (wrongCount != null) {
            return wrongCount;
        }
        makeRoom();
        for (int column = 0; column < features; column++) {
            float value = CsvCells.number(cells.get(column));
            if (Float.isNaN(value)) {
                return "column %d must be a finite number, but was '%s'"
                        .formatted(column + 1, CsvCells.shown(cells.get(column)));
            }
            values[rows * features + column] = value;
        }
        int label = isLabeled ? labelColumn.read(cells.getLast()) : 0;
        if (label == LabelColumn.INVALID) {
            return "%s, but was '%s'"
                    .formatted(labelColumn.rule(), CsvCells.shown(cells.getLast()));
        }
        labels[rows] = label;
        rows++;
        return null;
    }

    private @Nullable String wrongCount(List<String> cells) {
        return cells.size() == (isLabeled ? features + 1 : features)
                ? null
                : "must have %s, but has %d%s"
                        .formatted(rightCount(), cells.size(), separatorHint(cells));
    }

    private String rightCount() {
        return labelColumn.isOptional()
                ? "%d columns, or %d with a class, like all rows".formatted(features, features + 1)
                : "%d columns".formatted(features + 1);
    }

    private static String separatorHint(List<String> cells) {
        String only = cells.size() == 1 ? cells.getFirst() : "";
        return only.contains(";") || only.contains("\t")
                ? " (commas must separate the columns, not semicolons or tabs)"
                : "";
    }

    private void makeRoom() {
        if (rows == maxRows) {
            throw content.brokenIn(
                    line,
                    "must hold at most %d rows of %d columns".formatted(maxRows, features + 1));
        }
        if (rows == labels.length) {
            int capacity = Math.min(2 * rows, maxRows);
            labels = Arrays.copyOf(labels, capacity);
            values = Arrays.copyOf(values, Math.multiplyExact(capacity, features));
        }
    }
}
