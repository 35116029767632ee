package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Iterates over the indices, within a range of the flat vector, of the elements of the sent slices:
 * in ascending order, one block at a time.
 */
final class SelectedIndices {

    private final List<MatrixRange> ranges;
    private final int[] indices = new int[Block.MAX_LENGTH];
    private Bitmap sent = new Bitmap();
    private int count;
    private int rangeNumber;
    private int row;
    private int column;

    /**
     * @param ranges the matrices that lie in the range, in order
     */
    SelectedIndices(List<MatrixRange> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    /** Moves to the beginning of the range, before the first block. */
    void begin(Bitmap slicesSent) {
        sent = slicesSent;
        count = 0;
        enter(0);
    }

    private void enter(int range) {
        rangeNumber = range;
        if (rangeNumber < ranges.size()) {
            moveTo(ranges.get(rangeNumber).firstRow());
        }
    }

    private void moveTo(int nextRow) {
        row = nextRow;
        column =
                row < ranges.get(rangeNumber).endRow()
                        ? ranges.get(rangeNumber).firstColumn(row)
                        : 0;
    }

    /** Moves to the next block; returns false if there is none. */
    boolean advance() {
        count = 0;
        while (count < indices.length && rangeNumber < ranges.size()) {
            MatrixRange range = ranges.get(rangeNumber);
            if (row == range.endRow()) {
                enter(rangeNumber + 1);
            } else {
                step(range);
            }
        }
        return count > 0;
    }

    /** Adds one element, or moves to the next row if this one has no more. */
    private void step(MatrixRange range) {
        column = range.nextSent(sent, row, column);
        if (column < range.endColumn(row)) {
            indices[count++] = range.index(row, column++);
        } else {
            moveTo(row + 1);
        }
    }

    /** Number of elements in the current block. */
    int count() {
        return count;
    }

    /** Returns the number of elements in all blocks. */
    long countAll(Bitmap slicesSent) {
        long all = 0;
        begin(slicesSent);
        while (advance()) {
            all += count;
        }
        return all;
    }

    void gather(MemorySegment vector, Block block) {
        block.resize(count);
        float[] values = block.values();
        for (int i = 0; i < count; i++) {
            values[i] = vector.get(JAVA_FLOAT_UNALIGNED, 4L * indices[i]);
        }
    }

    void add(Block block, float factor, MemorySegment vector) {
        float[] values = block.values();
        for (int i = 0; i < count; i++) {
            long at = 4L * indices[i];
            vector.set(
                    JAVA_FLOAT_UNALIGNED,
                    at,
                    vector.get(JAVA_FLOAT_UNALIGNED, at) + factor * values[i]);
        }
    }
}
