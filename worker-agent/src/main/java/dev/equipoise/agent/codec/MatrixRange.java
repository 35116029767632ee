package dev.equipoise.agent.codec;

/**
 * The part of a matrix that lies in a range of the flat vector. The range may begin and end within
 * a row.
 *
 * @param start index of the matrix in the range, in elements; negative if it begins before the
 *     range
 * @param length of the range
 * @param base number of its first slice among the slices of the range
 */
record MatrixRange(RowSampledMatrix matrix, int start, int length, int base) {

    int firstRow() {
        return Math.max(0, -start) / matrix.columns();
    }

    int endRow() {
        return Math.min(matrix.rows(), Math.ceilDiv(length - start, matrix.columns()));
    }

    int firstColumn(int row) {
        return Math.max(0, -index(row, 0));
    }

    int endColumn(int row) {
        return Math.min(matrix.columns(), length - index(row, 0));
    }

    /** Returns the index of an element in the range. */
    int index(int row, int column) {
        return start + row * matrix.columns() + column;
    }

    /** Number of slices of the matrix that lie at least partly in the range. */
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

    /**
     * Returns the first sent column of a row, at or behind the given one; the number of columns if
     * there is none.
     */
    int nextSent(Bitmap sent, int row, int column) {
        if (matrix.byColumns()) {
            int shift = base - firstSlice();
            return sent.next(column + shift) - shift;
        }
        return sent.contains(base + row - firstSlice()) ? column : matrix.columns();
    }
}
