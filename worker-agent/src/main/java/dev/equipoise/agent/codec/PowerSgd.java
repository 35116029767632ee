package dev.equipoise.agent.codec;

/*
 * Vogels, Karimireddy and Jaggi, PowerSGD: practical low-rank gradient compression for distributed
 * optimization, NeurIPS 2019, algorithms 1 and 2. Per matrix, with what was left out, E, and Q of the
 * round before:
 *
 *   M = G + E,   P = orthonormalise(mean(M Q)),   Q = mean(transposed M times P)
 *   agreed = P times transposed Q,   E = M - agreed
 *
 * All P travel in one vector, with the parts that are no matrices behind them, and all Q in another.
 * A column of Q that has become zero, as it does when the gradient was, would stay so for ever, and
 * is drawn anew.
 */

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/**
 * Agrees with all ranks on the mean of their gradients, approximated by matrices of low rank. This
 * is no {@link Codec}, since the second vector depends on the mean of the first.
 *
 * <p>What it remembers is in the state that it is handed; its own memory is for the time of a
 * round, so that only one thread uses it at a time.
 */
public final class PowerSgd {

    private final List<Part> parts;
    private final int rank;
    private final long seed;
    private final Factors factors;
    private final Block block;
    private final Block scratch;
    private final MemorySegment left;

    /**
     * Sets memory aside.
     *
     * @param parts of the gradient, in its order
     * @param rank of the approximation, at least 1; a matrix with fewer rows or columns has theirs
     * @param seed of the run, the same on all ranks
     */
    public PowerSgd(List<Part> parts, int rank, long seed) {
        if (rank < 1) {
            throw new IllegalArgumentException("the rank must be at least 1, but was " + rank);
        }
        this.parts = List.copyOf(parts);
        this.rank = rank;
        this.seed = seed;
        Kernels kernels = Kernels.fastest();
        this.factors = new Factors(kernels, rank);
        this.block = new Block(kernels);
        this.scratch = new Block(kernels);
        this.left = Arena.ofAuto().allocate(JAVA_FLOAT, leftLength());
    }

    /**
     * The state before the first round of a run; its vectors live as long as the arena. A rank that
     * joins later starts from the round and the right factors of a peer instead.
     */
    public PowerSgdState initialState(Arena arena) {
        MemorySegment right = arena.allocate(JAVA_FLOAT, rightLength());
        redrawZeroColumns(right, 0);
        return new PowerSgdState(0, arena.allocate(JAVA_FLOAT, length()), right);
    }

    /** The elements of the gradient. */
    public long length() {
        return parts.stream().mapToLong(Part::length).sum();
    }

    /** The bytes of the two vectors whose means are taken in a round, without headers. */
    public long bytes() {
        return Float.BYTES * (leftLength() + rightLength());
    }

    private long leftLength() {
        return parts.stream().mapToLong(this::leftLength).sum();
    }

    private long leftLength(Part part) {
        return switch (part) {
            case Part.Matrix matrix -> (long) rank(matrix) * matrix.rows();
            case Part.Plain(int length) -> length;
        };
    }

    private long rightLength() {
        return parts.stream().mapToLong(this::rightLength).sum();
    }

    private long rightLength(Part part) {
        return switch (part) {
            case Part.Matrix matrix -> (long) rank(matrix) * matrix.columns();
            case Part.Plain _ -> 0;
        };
    }

    private int rank(Part.Matrix matrix) {
        return Math.min(rank, Math.min(matrix.rows(), matrix.columns()));
    }

    /**
     * Makes a round, in which all ranks hand in what they have.
     *
     * <p>Whatever the mean throws is passed on, and the state is then spoilt: it holds the gradient
     * already, and half of the round. Who wants to repeat a round whose exchange has failed keeps a
     * {@linkplain PowerSgdState#copy copy} of the state from before it.
     *
     * @param gradient only read
     * @param mean replaces a vector by its mean over all ranks, the same bits everywhere; called
     *     twice
     * @param agreed becomes the approximated mean of the gradients
     * @return the state for the next round; the given one is used up
     * @throws IllegalArgumentException if an element of the gradient is not finite; the state is
     *     then spoilt
     */
    public PowerSgdState agree(
            PowerSgdState state,
            MemorySegment gradient,
            Consumer<MemorySegment> mean,
            MemorySegment agreed) {
        requireLength("gradient", gradient);
        requireLength("agreed vector", agreed);
        requireLength("residual", state.residual());
        MemorySegment right = state.right();
        block.addFinite(gradient, state.residual(), scratch);
        each(state, agreed, this::multiplyLeft);
        mean.accept(left);
        each(state, agreed, this::multiplyRight);
        mean.accept(right);
        each(state, agreed, this::reconstruct);
        redrawZeroColumns(right, state.round() + 1);
        return state.next();
    }

    /** The memory of one part: the sum of gradient and residual, its factors, and the outcome. */
    private record Place(
            MemorySegment sum, MemorySegment left, MemorySegment right, MemorySegment agreed) {}

    @FunctionalInterface
    private interface Work {
        void on(Part part, Place place);
    }

    private void each(PowerSgdState state, MemorySegment agreed, Work work) {
        long from = 0;
        long fromLeft = 0;
        long fromRight = 0;
        for (Part part : parts) {
            work.on(
                    part,
                    new Place(
                            slice(state.residual(), from, part.length()),
                            slice(left, fromLeft, leftLength(part)),
                            slice(state.right(), fromRight, rightLength(part)),
                            slice(agreed, from, part.length())));
            from += part.length();
            fromLeft += leftLength(part);
            fromRight += rightLength(part);
        }
    }

    private static MemorySegment slice(MemorySegment vector, long from, long length) {
        return vector.asSlice(JAVA_FLOAT.scale(0, from), JAVA_FLOAT.scale(0, length));
    }

    private void multiplyLeft(Part part, Place place) {
        switch (part) {
            case Part.Matrix matrix ->
                    factors.multiplyLeft(
                            matrix, rank(matrix), place.sum(), place.right(), place.left());
            case Part.Plain _ -> place.left().copyFrom(place.sum());
        }
    }

    private void multiplyRight(Part part, Place place) {
        if (part instanceof Part.Matrix matrix) {
            Orthonormal.make(place.left(), matrix.rows(), rank(matrix));
            factors.multiplyRight(matrix, rank(matrix), place.sum(), place.left(), place.right());
        }
    }

    private void reconstruct(Part part, Place place) {
        switch (part) {
            case Part.Matrix matrix ->
                    factors.reconstruct(
                            matrix,
                            rank(matrix),
                            place.left(),
                            place.right(),
                            place.sum(),
                            place.agreed());
            case Part.Plain _ -> {
                place.agreed().copyFrom(place.left());
                place.sum().fill((byte) 0);
            }
        }
    }

    /** The same on all ranks, which have the same columns. */
    private void redrawZeroColumns(MemorySegment right, long round) {
        long key = new Chance(seed, 0, round).shared();
        long from = 0;
        for (Part part : parts) {
            if (part instanceof Part.Matrix matrix) {
                for (int k = 0; k < rank(matrix); k++) {
                    MemorySegment column = slice(right, from, matrix.columns());
                    if (Orthonormal.norm(column, matrix.columns(), 0) == 0) {
                        draw(column, key, from);
                    }
                    from += matrix.columns();
                }
            }
        }
    }

    private static void draw(MemorySegment column, long key, long first) {
        long elements = column.byteSize() / Float.BYTES;
        for (long i = 0; i < elements; i++) {
            float uniform = Noise.at((int) (first + i), Noise.low(key), Noise.high(key));
            column.setAtIndex(JAVA_FLOAT, i, 2 * uniform - 1);
        }
    }

    private void requireLength(String name, MemorySegment vector) {
        if (vector.byteSize() != JAVA_FLOAT.scale(0, length())) {
            throw new IllegalArgumentException(
                    "the %s must have %d elements, but has %d bytes"
                            .formatted(name, length(), vector.byteSize()));
        }
    }
}
