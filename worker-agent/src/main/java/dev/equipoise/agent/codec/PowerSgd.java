package dev.equipoise.agent.codec;

/*
 * Vogels, Karimireddy and Jaggi, PowerSGD: practical low-rank gradient compression for distributed
 * optimization, NeurIPS 2019, algorithms 1 and 2. For each matrix, with the residual E and the
 * right factor Q of the round before:
 *
 *   M = G + E,   P = orthonormalize(mean(M Q)),   Q = mean(transposed M times P)
 *   agreed = P times transposed Q,   E = M - agreed
 *
 * One vector holds all P, followed by the parts that are no matrices, and another one holds all Q.
 * A column of Q that has become zero, as after a zero gradient, would stay zero forever and is
 * redrawn.
 */

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/**
 * PowerSGD: computes with all ranks the mean of their gradients, approximated by low-rank matrices
 * (docs/algorithms.md, section 6). This is no {@link Codec}, since the second vector depends on the
 * mean of the first.
 *
 * <p>All state between rounds is in the {@link PowerSgdState} that is passed in; the scratch memory
 * is for the time of a round, so that only one thread may use it at a time.
 */
public final class PowerSgd {

    private final List<GradientPart> parts;
    private final int rank;
    private final long seed;
    private final Factors factors;
    private final Block block;
    private final Block scratch;
    private final MemorySegment left;

    /**
     * Allocates scratch memory.
     *
     * @param parts of the gradient, in order
     * @param rank of the approximation, at least 1; limited to the rows and columns of each matrix
     * @param seed of the run, equal on all ranks
     */
    public PowerSgd(List<GradientPart> parts, int rank, long seed) {
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
     * Creates the state before the first round of a run; its vectors live as long as the arena. A
     * rank that joins later starts with the round and the right factors of a peer instead.
     */
    public PowerSgdState initialState(Arena arena) {
        MemorySegment right = arena.allocate(JAVA_FLOAT, rightLength());
        redrawZeroColumns(right, 0);
        return new PowerSgdState(0, arena.allocate(JAVA_FLOAT, length()), right);
    }

    /** Number of elements of the gradient. */
    public long length() {
        return parts.stream().mapToLong(GradientPart::length).sum();
    }

    /** Bytes of the two vectors that are averaged in a round, without headers. */
    public long bytes() {
        return Float.BYTES * (leftLength() + rightLength());
    }

    private long leftLength() {
        return parts.stream().mapToLong(this::leftLength).sum();
    }

    private long leftLength(GradientPart part) {
        return switch (part) {
            case GradientPart.Matrix matrix -> (long) rank(matrix) * matrix.rows();
            case GradientPart.Plain(int length) -> length;
        };
    }

    private long rightLength() {
        return parts.stream().mapToLong(this::rightLength).sum();
    }

    private long rightLength(GradientPart part) {
        return switch (part) {
            case GradientPart.Matrix matrix -> (long) rank(matrix) * matrix.columns();
            case GradientPart.Plain _ -> 0;
        };
    }

    private int rank(GradientPart.Matrix matrix) {
        return Math.min(rank, Math.min(matrix.rows(), matrix.columns()));
    }

    /**
     * Runs one round, in which all ranks take part with their gradients.
     *
     * <p>Exceptions of {@code mean} are passed on, and the state is then invalid: it contains the
     * gradient already, and half of the round. To repeat a round whose exchange has failed, a
     * caller keeps a {@linkplain PowerSgdState#copy copy} of the state from before the round.
     *
     * @param gradient only read
     * @param mean replaces a vector by its mean over all ranks, with the same bits on all of them;
     *     called twice
     * @param agreed receives the approximate mean of the gradients
     * @return the state for the next round; the given state must not be used anymore
     * @throws IllegalArgumentException if an element of the gradient is not finite; the state is
     *     then invalid
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
        forEachPart(state, agreed, this::multiplyLeft);
        mean.accept(left);
        forEachPart(state, agreed, this::multiplyRight);
        mean.accept(right);
        forEachPart(state, agreed, this::reconstruct);
        redrawZeroColumns(right, state.round() + 1);
        return state.next();
    }

    /** The memory of one part: the sum of gradient and residual, its factors, and the result. */
    private record PartMemory(
            MemorySegment sum, MemorySegment left, MemorySegment right, MemorySegment agreed) {}

    @FunctionalInterface
    private interface Work {
        void on(GradientPart part, PartMemory memory);
    }

    private void forEachPart(PowerSgdState state, MemorySegment agreed, Work work) {
        long from = 0;
        long fromLeft = 0;
        long fromRight = 0;
        for (GradientPart part : parts) {
            work.on(
                    part,
                    new PartMemory(
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

    private void multiplyLeft(GradientPart part, PartMemory memory) {
        switch (part) {
            case GradientPart.Matrix matrix ->
                    factors.multiplyLeft(
                            matrix, rank(matrix), memory.sum(), memory.right(), memory.left());
            case GradientPart.Plain _ -> memory.left().copyFrom(memory.sum());
        }
    }

    private void multiplyRight(GradientPart part, PartMemory memory) {
        if (part instanceof GradientPart.Matrix matrix) {
            Orthonormal.make(memory.left(), matrix.rows(), rank(matrix));
            factors.multiplyRight(
                    matrix, rank(matrix), memory.sum(), memory.left(), memory.right());
        }
    }

    private void reconstruct(GradientPart part, PartMemory memory) {
        switch (part) {
            case GradientPart.Matrix matrix ->
                    factors.reconstruct(
                            matrix,
                            rank(matrix),
                            memory.left(),
                            memory.right(),
                            memory.sum(),
                            memory.agreed());
            case GradientPart.Plain _ -> {
                memory.agreed().copyFrom(memory.left());
                memory.sum().fill((byte) 0);
            }
        }
    }

    /** Redraws columns of zeros; all ranks have the same columns and draw the same ones. */
    private void redrawZeroColumns(MemorySegment right, long round) {
        long key = new CodecRandom(seed, 0, round).shared();
        long from = 0;
        for (GradientPart part : parts) {
            if (part instanceof GradientPart.Matrix matrix) {
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
            float uniform =
                    UniformRandom.at(
                            (int) (first + i), UniformRandom.low(key), UniformRandom.high(key));
            column.setAtIndex(JAVA_FLOAT, i, 2 * uniform - 1);
        }
    }

    private void requireLength(String name, MemorySegment vector) {
        if (vector.byteSize() != JAVA_FLOAT.scale(0, length())) {
            throw new IllegalArgumentException(
                    "the %s must have %d bytes (%d elements), but has %d bytes"
                            .formatted(
                                    name,
                                    JAVA_FLOAT.scale(0, length()),
                                    length(),
                                    vector.byteSize()));
        }
    }
}
