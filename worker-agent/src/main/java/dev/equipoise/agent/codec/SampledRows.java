package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;

/**
 * Some rows of a matrix: their number and their ids as {@link IndexCoding#DELTA_VARINT}, then the
 * rows: 4 width bytes each and mostly 1 or 2 for its id. What the other rows hold is lost, unless
 * it is kept by error feedback.
 */
final class SampledRows implements Codec {

    static final int ID = 6;

    private final int rows;
    private final int width;
    private final RowChoice choice;
    private final Bitmap chosen = new Bitmap();
    private final Block block;
    private final Block scratch;

    SampledRows(int rows, int width, RowChoice choice) {
        if (rows < 1 || width < 1 || (long) rows * width > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the matrix must have from 1 to 2^31 - 1 elements, but has %d x %d"
                            .formatted(rows, width));
        }
        this.rows = rows;
        this.width = width;
        this.choice = choice;
        Kernels kernels = Kernels.fastest();
        this.block = new Block(kernels);
        this.scratch = new Block(kernels);
    }

    @Override
    public int id() {
        return ID;
    }

    /**
     * That of all rows, with a byte for each id. Fewer rows never take more: an id of b bytes,
     * where b is above 1, stands behind at least 2^(7 (b - 1)) rows that are left out, which is
     * more than b.
     */
    @Override
    public long largestPayload(int elements) {
        return Integer.BYTES + (long) rows + (long) Float.BYTES * elements;
    }

    @Override
    public Frame encode(MemorySegment vector, Chance chance, MemorySegment room) {
        requireMatrix(vector);
        block.requireFinite(vector);
        chosen.reset(rows);
        choice.choose(chance, chosen);
        int count = chosen.count();
        long begin = IndexCoding.DELTA_VARINT.bytes(chosen, count);
        MemorySegment payload =
                Agreement.room(room, largestPayload(rows * width))
                        .asSlice(0, begin + rowBytes() * count);
        IndexCoding.DELTA_VARINT.write(chosen, count, payload);
        gather(vector, payload, begin);
        return new Frame(ID, 0, rows * width, payload);
    }

    private void gather(MemorySegment vector, MemorySegment payload, long begin) {
        long offset = begin;
        for (int row = 0; row < rows; row++) {
            if (chosen.contains(row)) {
                MemorySegment.copy(vector, row * rowBytes(), payload, offset, rowBytes());
                offset += rowBytes();
            }
        }
    }

    @Override
    public void add(Frame frame, Chance chance, float factor, MemorySegment vector) {
        requireMatrix(vector);
        Agreement.require(frame, this, vector);
        Agreement.requireFlags(frame, 0);
        chosen.reset(rows);
        long begin = IndexCoding.DELTA_VARINT.read(frame.payload(), chosen);
        Agreement.requireBytes(frame, begin + rowBytes() * chosen.count());
        scatter(frame.payload().asSlice(begin), begin, Landing.adding(factor, vector, scratch));
    }

    private void scatter(MemorySegment values, long begin, Landing landing) {
        int number = 0;
        for (int row = 0; row < rows; row++) {
            if (chosen.contains(row)) {
                addRow(values, begin, number++ * width, row * width, landing);
            }
        }
    }

    private void addRow(MemorySegment values, long begin, int source, int target, Landing landing) {
        for (int i = 0; i < width; i += Block.LARGEST) {
            block.read(values, source + i, Block.lengthAt(i, width));
            int wrong = block.firstNotFinite();
            if (wrong < block.length()) {
                throw FrameCorrupt.of(
                        "a value must be finite",
                        block.values()[wrong],
                        begin + 4L * (source + i + wrong));
            }
            landing.put(block, target + i);
        }
    }

    private long rowBytes() {
        return (long) Float.BYTES * width;
    }

    private void requireMatrix(MemorySegment vector) {
        if (Block.elements(vector) != rows * width) {
            throw new IllegalArgumentException(
                    "the vector must have %d x %d elements, but has %d"
                            .formatted(rows, width, Block.elements(vector)));
        }
    }
}
