package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Where the elements of the slices sent are in a range, in their order, a block at a time. */
final class Places {

    private final List<Reach> reaches;
    private final int[] places = new int[Block.LARGEST];
    private Bitmap sent = new Bitmap();
    private int count;
    private int number;
    private int row;
    private int column;

    /**
     * @param reaches all that is in the range, in its order
     */
    Places(List<Reach> reaches) {
        this.reaches = List.copyOf(reaches);
    }

    /** Goes to the range's beginning, before the first block. */
    void begin(Bitmap slicesSent) {
        sent = slicesSent;
        count = 0;
        enter(0);
    }

    private void enter(int reach) {
        number = reach;
        if (number < reaches.size()) {
            moveTo(reaches.get(number).firstRow());
        }
    }

    private void moveTo(int nextRow) {
        row = nextRow;
        column = row < reaches.get(number).endRow() ? reaches.get(number).firstColumn(row) : 0;
    }

    /** Goes to the next block; false if there is none. */
    boolean advance() {
        count = 0;
        while (count < places.length && number < reaches.size()) {
            Reach reach = reaches.get(number);
            if (row == reach.endRow()) {
                enter(number + 1);
            } else {
                step(reach);
            }
        }
        return count > 0;
    }

    /** One element, or to the next row where this one has no more. */
    private void step(Reach reach) {
        column = reach.nextSent(sent, row, column);
        if (column < reach.endColumn(row)) {
            places[count++] = reach.place(row, column++);
        } else {
            moveTo(row + 1);
        }
    }

    /** Elements of the block. */
    int count() {
        return count;
    }

    /** Elements of all blocks. */
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
            values[i] = vector.get(JAVA_FLOAT_UNALIGNED, 4L * places[i]);
        }
    }

    void add(Block block, float factor, MemorySegment vector) {
        float[] values = block.values();
        for (int i = 0; i < count; i++) {
            long at = 4L * places[i];
            vector.set(
                    JAVA_FLOAT_UNALIGNED,
                    at,
                    vector.get(JAVA_FLOAT_UNALIGNED, at) + factor * values[i]);
        }
    }
}
