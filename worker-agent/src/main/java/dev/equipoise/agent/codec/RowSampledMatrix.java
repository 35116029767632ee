package dev.equipoise.agent.codec;

/**
 * A row-major matrix in a flat vector, whole rows or columns of which are sent.
 *
 * @param byColumns whether columns are sent: for a layer in which a column holds the weights of one
 *     unit
 * @param choice of the rows or columns to send
 */
public record RowSampledMatrix(int rows, int columns, boolean byColumns, RowSelection choice) {

    public RowSampledMatrix {
        if (rows < 1 || columns < 1 || (long) rows * columns > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the matrix must have from 1 to 2^31 - 1 elements, but has %d x %d"
                            .formatted(rows, columns));
        }
    }

    /** Creates a matrix of which rows are sent. */
    public static RowSampledMatrix byRows(int rows, int columns, RowSelection choice) {
        return new RowSampledMatrix(rows, columns, false, choice);
    }

    /** Creates a matrix of which columns are sent. */
    public static RowSampledMatrix byColumns(int rows, int columns, RowSelection choice) {
        return new RowSampledMatrix(rows, columns, true, choice);
    }

    int elements() {
        return rows * columns;
    }

    /** Number of rows or columns to choose from. */
    int slices() {
        return byColumns ? columns : rows;
    }
}
