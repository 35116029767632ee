package dev.equipoise.agent.codec;

/**
 * A row-major matrix of a flat vector, of which whole rows or whole columns are sent.
 *
 * @param byColumns whether columns are, as of a layer of which a column is what makes one unit
 * @param choice of the rows, or of the columns
 */
public record Sliced(int rows, int columns, boolean byColumns, RowChoice choice) {

    /** Refuses what has no element. */
    public Sliced {
        if (rows < 1 || columns < 1 || (long) rows * columns > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the matrix must have from 1 to 2^31 - 1 elements, but has %d x %d"
                            .formatted(rows, columns));
        }
    }

    /** Of which rows are sent. */
    public static Sliced byRows(int rows, int columns, RowChoice choice) {
        return new Sliced(rows, columns, false, choice);
    }

    /** Of which columns are sent. */
    public static Sliced byColumns(int rows, int columns, RowChoice choice) {
        return new Sliced(rows, columns, true, choice);
    }

    int elements() {
        return rows * columns;
    }

    /** How many rows, or columns, there are to choose from. */
    int slices() {
        return byColumns ? columns : rows;
    }
}
