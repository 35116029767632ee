package dev.equipoise.agent.dataset;

import java.util.List;

/** Rows of a CSV file. The arrays are not copied. */
final class CsvRows {

    private final List<String> columns;
    private final float[] values;
    private final int[] labels;
    private final boolean areLabeled;

    /**
     * @param columns names of the columns; empty if the file has no header
     * @param values features of all rows, one row after the other
     * @param labels as {@link LabelColumn} has read them; 0 without a label column
     * @param areLabeled whether the file has a label column
     */
    CsvRows(List<String> columns, float[] values, int[] labels, boolean areLabeled) {
        this.columns = List.copyOf(columns);
        this.values = values;
        this.labels = labels;
        this.areLabeled = areLabeled;
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

    boolean areLabeled() {
        return areLabeled;
    }
}
