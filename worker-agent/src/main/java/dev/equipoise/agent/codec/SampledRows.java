package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Some rows, or columns, of each matrix in a range of the flat vector. Their number and their ids
 * come first, as {@link IndexCoding#DELTA_VARINT} of a numbering that goes through all matrices,
 * and zeros up to a multiple of four bytes; then their elements in the order of the vector. So the
 * elements can be summed over ranks that have chosen alike. What the others hold is lost, unless it
 * is kept by error feedback.
 */
final class SampledRows implements Codec {

    static final int ID = 6;

    private final List<Reach> reaches;
    private final int length;
    private final int slices;
    private final Places places;
    private final Bitmap sent = new Bitmap();
    private final Bitmap chosen = new Bitmap();
    private final Block block = new Block(Kernels.fastest());

    /**
     * @param matrices which make up the flat vector, one behind the other
     * @param from the range's first element
     * @param to the first one behind it
     */
    SampledRows(List<Sliced> matrices, int from, int to) {
        this.reaches = reaches(matrices, from, to);
        this.length = to - from;
        this.slices = reaches.stream().mapToInt(Reach::slices).sum();
        this.places = new Places(reaches);
    }

    private static List<Reach> reaches(List<Sliced> matrices, int from, int to) {
        List<Reach> reaches = new ArrayList<>();
        int end = 0;
        int base = 0;
        for (Sliced matrix : matrices) {
            int begin = end;
            end = Math.addExact(begin, matrix.elements());
            if (begin < to && end > from) {
                var reach = new Reach(matrix, begin - from, to - from, base);
                reaches.add(reach);
                base += reach.slices();
            }
        }
        if (from < 0 || from > to || to > end) {
            throw new IllegalArgumentException(
                    "the range must be within %d elements, but is from %d to %d"
                            .formatted(end, from, to));
        }
        return reaches;
    }

    @Override
    public int id() {
        return ID;
    }

    /**
     * That of all slices, with a byte for each id. Fewer never take more: an id of b bytes, where b
     * is above 1, stands behind at least 2^(7 (b - 1)) slices that are left out, which is more than
     * b.
     */
    @Override
    public long largestPayload(int elements) {
        return aligned((long) Integer.BYTES + slices) + (long) Float.BYTES * elements;
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, Float.BYTES) * Float.BYTES;
    }

    @Override
    public Frame encode(MemorySegment vector, Chance chance, MemorySegment room) {
        requireRange(vector);
        // Also of what is not sent: a rank that has diverged is to be found out at once.
        block.requireFinite(vector);
        choose(chance);
        int count = sent.count();
        long ids = IndexCoding.DELTA_VARINT.bytes(sent, count);
        long begin = aligned(ids);
        MemorySegment payload =
                Agreement.room(room, largestPayload(length))
                        .asSlice(0, begin + Float.BYTES * places.countAll(sent));
        IndexCoding.DELTA_VARINT.write(sent, count, payload);
        payload.asSlice(ids, begin - ids).fill((byte) 0);
        gather(vector, payload.asSlice(begin));
        return new Frame(ID, 0, length, payload);
    }

    /** Each matrix chooses among all its slices, also those that do not reach into the range. */
    private void choose(Chance chance) {
        sent.reset(slices);
        for (Reach reach : reaches) {
            chosen.reset(reach.matrix().slices());
            reach.matrix().choice().choose(chance, chosen);
            int first = reach.firstSlice();
            int end = first + reach.slices();
            for (int slice = chosen.next(first); slice < end; slice = chosen.next(slice + 1)) {
                sent.set(reach.base() + slice - first);
            }
        }
    }

    private void gather(MemorySegment vector, MemorySegment values) {
        places.begin(sent);
        for (int from = 0; places.advance(); from += places.count()) {
            places.gather(vector, block);
            block.write(values, from);
        }
    }

    @Override
    public void add(Frame frame, Chance chance, float factor, MemorySegment vector) {
        requireRange(vector);
        Agreement.require(frame, this, vector);
        Agreement.requireFlags(frame, 0);
        long begin = readIds(frame);
        MemorySegment values = frame.payload().asSlice(begin);
        places.begin(sent);
        for (int from = 0; places.advance(); from += places.count()) {
            block.read(values, from, places.count());
            requireFinite(begin + (long) Float.BYTES * from);
            places.add(block, factor, vector);
        }
    }

    /** Returns where the values begin, of which there are as many as the slices have. */
    private long readIds(Frame frame) {
        sent.reset(slices);
        long ids = IndexCoding.DELTA_VARINT.read(frame.payload(), sent);
        long begin = aligned(ids);
        Agreement.requireBytes(frame, begin + Float.BYTES * places.countAll(sent));
        for (long i = ids; i < begin; i++) {
            byte filling = frame.payload().get(JAVA_BYTE, i);
            if (filling != 0) {
                throw FrameCorrupt.of("what fills up the ids must be 0", filling, i);
            }
        }
        return begin;
    }

    private void requireFinite(long offset) {
        int wrong = block.firstNotFinite();
        if (wrong < block.length()) {
            throw FrameCorrupt.of(
                    "a value must be finite",
                    block.values()[wrong],
                    offset + (long) Float.BYTES * wrong);
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
