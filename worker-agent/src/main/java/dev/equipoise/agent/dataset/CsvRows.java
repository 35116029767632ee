package dev.equipoise.agent.dataset;

import java.util.List;

/** Rows of a CSV file. The arrays are not copied. */
final class CsvRows {

    private final List<String> columns;
    private final float[] values;
    private final int[] labels;

    /**
     * @param columns names of the columns; empty if the file has no header
     * @param values features of all rows, one row after the other
     * @param labels as {@link LabelColumn} has read them
     */
    CsvRows(List<String> columns, float[] values, int[] labels) {
        this.columns = List.copyOf(columns);
        this.values = values;
        this.labels = labels;
    }

    List<String> columns() {
        return columns;
    }

    float[] values() {
        return values;
    }

    int[] labels() {
        return labels;
    }
}
