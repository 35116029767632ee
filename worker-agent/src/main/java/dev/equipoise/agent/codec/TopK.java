package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The k = ceil(fraction d) elements of the largest magnitude; of equal ones, the first. */
final class TopK implements Codec {

    static final int ID = 2;

    private final Fraction fraction;
    private final Selection selection;
    private final Sparse sparse;

    TopK(double fraction) {
        this(fraction, Kernels.fastest());
    }

    TopK(double fraction, Kernels kernels) {
        this.fraction = new Fraction(fraction);
        this.selection = new Selection(kernels);
        this.sparse = new Sparse(kernels);
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public long largestPayload(int elements) {
        return Sparse.largestPayload(elements, fraction.of(elements));
    }

    @Override
    public Frame encode(MemorySegment vector, Chance chance, MemorySegment room) {
        int k = fraction.of(Block.elements(vector));
        Cut cut = k == 0 ? Cut.above(0) : selection.largest(k, vector);
        return Objects.requireNonNull(sparse.encode(ID, vector, cut, k, room));
    }

    @Override
    public void add(Frame frame, Chance chance, float factor, MemorySegment vector) {
        Agreement.require(frame, this, vector);
        sparse.add(frame, factor, vector);
    }
}
