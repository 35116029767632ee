package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Sampled rows: sends some rows, or columns, of each matrix in a range of the flat vector
 * (docs/algorithms.md, section 6). The payload begins with the number of slices (rows or columns)
 * and their ids, coded as {@link IndexCoding#DELTA_VARINT} of a numbering through all matrices,
 * padded with zeros to a multiple of four bytes. Then come their elements in the order of the
 * vector, which can be summed over ranks that have chosen alike. All other elements are lost,
 * unless error feedback keeps them.
 */
final class SampledRows implements Codec {

    static final int ID = 6;

    private final List<MatrixRange> ranges;
    private final int length;
    private final int slices;
    private final SelectedIndices indices;
    private final Bitmap sent = new Bitmap();
    private final Bitmap chosen = new Bitmap();
    private final Block block = new Block(Kernels.fastest());

    /**
     * @param matrices the matrices that make up the flat vector, in order
     * @param from first element of the range
     * @param to first element behind the range
     */
    SampledRows(List<RowSampledMatrix> matrices, int from, int to) {
        this.ranges = ranges(matrices, from, to);
        this.length = to - from;
        this.slices = ranges.stream().mapToInt(MatrixRange::slices).sum();
        this.indices = new SelectedIndices(ranges);
    }

    private static List<MatrixRange> ranges(List<RowSampledMatrix> matrices, int from, int to) {
        List<MatrixRange> ranges = new ArrayList<>();
        int end = 0;
        int base = 0;
        for (RowSampledMatrix matrix : matrices) {
            int begin = end;
            end = Math.addExact(begin, matrix.elements());
            if (begin < to && end > from) {
                var range = new MatrixRange(matrix, begin - from, to - from, base);
                ranges.add(range);
                base += range.slices();
            }
        }
        if (from < 0 || from > to || to > end) {
            throw new IllegalArgumentException(
                    "the range must be within %d elements, but is from %d to %d"
                            .formatted(end, from, to));
        }
        return ranges;
    }

    @Override
    public int id() {
        return ID;
    }

    /**
     * The payload with all slices and one byte for each id. Fewer slices never take more: an id of
     * b bytes, with b above 1, follows a gap of at least 2^(7 (b - 1)) omitted slices, which is
     * more than b.
     */
    @Override
    public long largestPayload(int elements) {
        return aligned((long) Integer.BYTES + slices) + (long) Float.BYTES * elements;
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, Float.BYTES) * Float.BYTES;
    }

    @Override
    public Frame encode(MemorySegment vector, CodecRandom random, MemorySegment buffer) {
        requireRange(vector);
        // Check omitted elements too: a rank that has diverged must be detected at once.
        block.requireFinite(vector);
        choose(random);
        int count = sent.count();
        long ids = IndexCoding.DELTA_VARINT.bytes(sent, count);
        long begin = aligned(ids);
        MemorySegment payload =
                FrameChecks.buffer(buffer, largestPayload(length))
                        .asSlice(0, begin + Float.BYTES * indices.countAll(sent));
        IndexCoding.DELTA_VARINT.write(sent, count, payload);
        payload.asSlice(ids, begin - ids).fill((byte) 0);
        gather(vector, payload.asSlice(begin));
        return new Frame(ID, 0, length, payload);
    }

    /**
     * Chooses the slices to send. Each matrix chooses among all its slices, also those outside the
     * range.
     */
    private void choose(CodecRandom random) {
        sent.reset(slices);
        for (MatrixRange range : ranges) {
            chosen.reset(range.matrix().slices());
            range.matrix().choice().choose(random, chosen);
            int first = range.firstSlice();
            int end = first + range.slices();
            for (int slice = chosen.next(first); slice < end; slice = chosen.next(slice + 1)) {
                sent.set(range.base() + slice - first);
            }
        }
    }

    private void gather(MemorySegment vector, MemorySegment values) {
        indices.begin(sent);
        for (int from = 0; indices.advance(); from += indices.count()) {
            indices.gather(vector, block);
            block.write(values, from);
        }
    }

    @Override
    public void add(Frame frame, CodecRandom random, float factor, MemorySegment vector) {
        requireRange(vector);
        FrameChecks.require(frame, ID, vector);
        FrameChecks.requireFlags(frame, 0);
        long begin = readIds(frame);
        MemorySegment values = frame.payload().asSlice(begin);
        indices.begin(sent);
        for (int from = 0; indices.advance(); from += indices.count()) {
            block.read(values, from, indices.count());
            requireFinite(begin + (long) Float.BYTES * from);
            indices.add(block, factor, vector);
        }
    }

    /**
     * Reads the ids and returns the offset of the values, after checking that there are as many as
     * the slices need.
     */
    private long readIds(Frame frame) {
        sent.reset(slices);
        long ids = IndexCoding.DELTA_VARINT.read(frame.payload(), sent);
        long begin = aligned(ids);
        FrameChecks.requireBytes(frame, begin + Float.BYTES * indices.countAll(sent));
        for (long i = ids; i < begin; i++) {
            byte padding = frame.payload().get(JAVA_BYTE, i);
            if (padding != 0) {
                throw FrameCorrupt.of("the padding behind the ids must be 0", padding, i);
            }
        }
        return begin;
    }

    private void requireFinite(long offset) {
        int index = block.firstNotFinite();
        if (index < block.length()) {
            throw FrameCorrupt.of(
                    "a value must be finite",
                    block.values()[index],
                    offset + (long) Float.BYTES * index);
        }
    }

    @Override
    public MemorySegment summands(Frame frame) {
        return frame.payload().asSlice(readIds(frame));
    }

    private void requireRange(MemorySegment vector) {
        if (Block.elements(vector) != length) {
            throw new IllegalArgumentException(
                    "the vector must have %d elements, but has %d"
                            .formatted(length, Block.elements(vector)));
        }
    }
}
