package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The elements above a threshold in magnitude (ALGORITHMS section 6). The threshold for a fraction
 * is that of a sample: one element of each stretch of a hundred, but at least 4096 if there are as
 * many, and at most 65,536, which is enough to be right within 4 % at a fraction of 1 %. If it lets
 * more than twice the fraction pass, as it does where many magnitudes are equal, exactly the
 * fraction is sent, of equal ones the first. So a frame has a bound, and nothing need be remembered
 * from round to round, as a controller of the threshold would have to.
 */
final class Threshold implements Codec {

    static final int ID = 1;

    private static final int SAMPLED = 100;
    private static final int FEWEST = 1 << 12;
    private static final int MOST = 1 << 16;
    private static final long TOO_MANY = 2;

    private final Level level;
    private final Selection selection;
    private final Sparse sparse;
    private MemorySegment sample = MemorySegment.NULL;

    Threshold(Level level) {
        this(level, Kernels.fastest());
    }

    Threshold(Level level, Kernels kernels) {
        this.level = level;
        this.selection = new Selection(kernels);
        this.sparse = new Sparse(kernels);
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public long largestPayload(int elements) {
        return Sparse.largestPayload(elements, most(elements));
    }

    private int most(int elements) {
        return switch (level) {
            case Level.Fixed _ -> elements;
            case Level.Sampled(Fraction fraction) ->
                    Math.toIntExact(Math.min(elements, TOO_MANY * fraction.of(elements)));
        };
    }

    @Override
    public Frame encode(MemorySegment vector, Chance chance, MemorySegment room) {
        return switch (level) {
            case Level.Fixed(float threshold) -> encode(vector, Cut.above(threshold), room);
            case Level.Sampled(Fraction fraction) -> encode(fraction, vector, chance.own(), room);
        };
    }

    private Frame encode(Fraction fraction, MemorySegment vector, long key, MemorySegment room) {
        int elements = Block.elements(vector);
        Cut guess = guess(fraction, sample(vector, key));
        Frame frame = sparse.encode(ID, vector, guess, most(elements), room);
        // So many elements are not zero that no zero is among the largest.
        return frame == null
                ? encode(vector, selection.largest(fraction.of(elements), vector), room)
                : frame;
    }

    /** By a cut that lets no more pass than there is room for. */
    private Frame encode(MemorySegment vector, Cut cut, MemorySegment room) {
        int most = most(Block.elements(vector));
        return Objects.requireNonNull(sparse.encode(ID, vector, cut, most, room));
    }

    private Cut guess(Fraction fraction, MemorySegment taken) {
        int elements = Block.elements(taken);
        return elements == 0
                ? Cut.above(0)
                : selection.largest(fraction.of(elements), taken).withAllTies();
    }

    /**
     * A view that the next call overwrites. What is no number is taken as 0: the pass over the
     * vector refuses it, and knows its index.
     */
    private MemorySegment sample(MemorySegment vector, long key) {
        int elements = Block.elements(vector);
        int size = Math.min(elements, Math.clamp(elements / SAMPLED, FEWEST, MOST));
        if (sample.byteSize() < JAVA_FLOAT.scale(0, size)) {
            sample = Arena.ofAuto().allocate(JAVA_FLOAT, size);
        }
        var strata = new Strata(elements, size, key);
        for (int i = 0; i < size; i++) {
            float value = vector.get(JAVA_FLOAT_UNALIGNED, JAVA_FLOAT.scale(0, strata.next()));
            sample.setAtIndex(JAVA_FLOAT, i, Float.isFinite(value) ? value : 0);
        }
        return sample.asSlice(0, JAVA_FLOAT.scale(0, size));
    }

    @Override
    public void add(Frame frame, Chance chance, float factor, MemorySegment vector) {
        Agreement.require(frame, this, vector);
        sparse.add(frame, factor, vector);
    }
}
