package dev.equipoise.performance.partition;

import dev.equipoise.performance.partition.SpeedFunction.Point;

/**
 * GEMM as the kernel of a speed function, as in FuPerMod (Clarke, Zhong, Rychkov and Lastovetsky
 * 2013): the unit of work is the update of one block of a matrix by the product of two blocks. A
 * sample counts as one unit. Ratios of GEMM speeds need not be those of a training step.
 */
public final class GemmKernel {

    /** Side of a block. */
    public static final int BLOCK = 64;

    private GemmKernel() {}

    /**
     * Converts a measured product of two square matrices to the units of a speed function: it
     * consists of {@code (side / BLOCK)^3} block products.
     *
     * @param side of a matrix, at least 1
     * @param seconds of the product, greater than 0
     */
    public static Point point(int side, double seconds) {
        double blocks = (double) side / BLOCK;
        return new Point(blocks * blocks * blocks, seconds);
    }
}
