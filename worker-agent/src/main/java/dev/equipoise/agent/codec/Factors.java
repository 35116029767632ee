package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * Multiplies a row-major matrix M, rows x columns, by factors of low rank r: P, rows x r, and Q,
 * columns x r. A factor is stored column by column. A matrix is processed in strips of columns, so
 * that the rows of Q for a strip stay in the nearest cache.
 */
final class Factors {

    private final Kernels kernels;
    private final Block matrix;
    private final Block residual;
    private final Block[] strips;

    Factors(Kernels kernels, int maxRank) {
        this.kernels = kernels;
        this.matrix = new Block(kernels);
        this.residual = new Block(kernels);
        this.strips =
                IntStream.range(0, maxRank).mapToObj(_ -> new Block(kernels)).toArray(Block[]::new);
    }

    /** Computes P = M Q. */
    void multiplyLeft(
            GradientPart.Matrix shape,
            int rank,
            MemorySegment m,
            MemorySegment q,
            MemorySegment p) {
        p.fill((byte) 0);
        for (int from = 0; from < shape.columns(); from += Block.MAX_LENGTH) {
            int width = Block.lengthAt(from, shape.columns());
            readStrips(shape, rank, q, from, width);
            for (int row = 0; row < shape.rows(); row++) {
                matrix.read(m, row * shape.columns() + from, width);
                for (int k = 0; k < rank; k++) {
                    long index = 4L * (k * shape.rows() + row);
                    double product = kernels.dot(matrix.values(), strips[k].values(), width);
                    float sum = (float) (p.get(JAVA_FLOAT_UNALIGNED, index) + product);
                    p.set(JAVA_FLOAT_UNALIGNED, index, sum);
                }
            }
        }
    }

    /** Computes Q = transposed M times P. */
    void multiplyRight(
            GradientPart.Matrix shape,
            int rank,
            MemorySegment m,
            MemorySegment p,
            MemorySegment q) {
        for (int from = 0; from < shape.columns(); from += Block.MAX_LENGTH) {
            int width = Block.lengthAt(from, shape.columns());
            for (int k = 0; k < rank; k++) {
                strips[k].clear(width);
            }
            for (int row = 0; row < shape.rows(); row++) {
                matrix.read(m, row * shape.columns() + from, width);
                for (int k = 0; k < rank; k++) {
                    strips[k].addScaled(left(shape, p, row, k), matrix);
                }
            }
            for (int k = 0; k < rank; k++) {
                strips[k].write(q, k * shape.columns() + from);
            }
        }
    }

    /** Writes P times transposed Q to {@code product}, and subtracts it from M. */
    void reconstruct(
            GradientPart.Matrix shape,
            int rank,
            MemorySegment p,
            MemorySegment q,
            MemorySegment m,
            MemorySegment product) {
        for (int from = 0; from < shape.columns(); from += Block.MAX_LENGTH) {
            int width = Block.lengthAt(from, shape.columns());
            readStrips(shape, rank, q, from, width);
            for (int row = 0; row < shape.rows(); row++) {
                int index = row * shape.columns() + from;
                matrix.clear(width);
                for (int k = 0; k < rank; k++) {
                    matrix.addScaled(left(shape, p, row, k), strips[k]);
                }
                matrix.write(product, index);
                residual.read(m, index, width);
                residual.addScaled(-1, matrix);
                residual.write(m, index);
            }
        }
    }

    private void readStrips(
            GradientPart.Matrix shape, int rank, MemorySegment q, int from, int width) {
        for (int k = 0; k < rank; k++) {
            strips[k].read(q, k * shape.columns() + from, width);
        }
    }

    private static float left(GradientPart.Matrix shape, MemorySegment p, int row, int k) {
        return p.get(JAVA_FLOAT_UNALIGNED, 4L * (k * shape.rows() + row));
    }
}
