package dev.equipoise.agent.codec;

/**
 * What of a matrix lies in a range of the flat vector. The range may begin and end within a row.
 *
 * @param start of the matrix in the range, in elements; negative where it begins before the range
 * @param length of the range
 * @param base number of its first slice among those of the range
 */
record Reach(Sliced matrix, int start, int length, int base) {

    int firstRow() {
        return Math.max(0, -start) / matrix.columns();
    }

    int endRow() {
        return Math.min(matrix.rows(), Math.ceilDiv(length - start, matrix.columns()));
    }

    int firstColumn(int row) {
        return Math.max(0, -place(row, 0));
    }

    int endColumn(int row) {
        return Math.min(matrix.columns(), length - place(row, 0));
    }

    /** Where in the range an element is. */
    int place(int row, int column) {
        return start + row * matrix.columns() + column;
    }

    /** How many slices of the matrix reach into the range. */
    int slices() {
        return endSlice() - firstSlice();
    }

    int firstSlice() {
        if (!matrix.byColumns()) {
            return firstRow();
        }
        return isInOneRow() ? firstColumn(firstRow()) : 0;
    }

    private int endSlice() {
        if (!matrix.byColumns()) {
            return endRow();
        }
        return isInOneRow() ? endColumn(firstRow()) : matrix.columns();
    }

    private boolean isInOneRow() {
        return endRow() - firstRow() == 1;
    }

    /** The first column of a row, from one on, that is sent; behind all columns if none is. */
    int nextSent(Bitmap sent, int row, int column) {
        if (matrix.byColumns()) {
            int shift = base - firstSlice();
            return sent.next(column + shift) - shift;
        }
        return sent.contains(base + row - firstSlice()) ? column : matrix.columns();
    }
}
