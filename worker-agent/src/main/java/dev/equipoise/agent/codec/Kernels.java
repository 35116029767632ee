package dev.equipoise.agent.codec;

/**
 * The loops that vectors pass through, over arrays that stay in the nearest cache. There are two
 * makes, which give the same bits: one in plain Java, and one on the Vector API, which is there
 * only if the machine was started with its module. An instance has memory of its own, for one
 * thread.
 *
 * <p>Arrays are as long as the next multiple of {@link #STRIDE}, and zero behind the given length.
 */
interface Kernels {

    /** One word of a bitmap. */
    int STRIDE = Long.SIZE;

    /** Sums are made in so many lanes, element i in lane i mod 16; then the lanes in order. */
    int LANES = 16;

    /** The faster make of those that this machine can run. */
    static Kernels fastest() {
        return Vectorised.AVAILABLE ? new VectorKernels() : new ScalarKernels();
    }

    /** Whether there is neither NaN nor infinity. */
    boolean areFinite(float[] values, int length);

    /** The sum of |x|, in float32, which may be infinite. */
    double sumOfMagnitudes(float[] values, int length);

    /** The sum of x y, in float32, which may be infinite. */
    double dot(float[] left, float[] right, int length);

    /** Sets the bits of the elements with |x| > threshold and clears the others. */
    void markAbove(float[] values, int length, float threshold, long[] words, int firstWord);

    /**
     * Moves the elements whose bits are set to the front of another array, in order; what it holds
     * behind them is undefined.
     *
     * @return their number
     */
    int compress(float[] values, int length, long[] words, int firstWord, float[] target);

    /** Sets the bits of the elements below zero and clears the others. */
    void markNegative(float[] values, int length, long[] words, int firstWord);

    /** Writes -magnitude where a bit is set, and magnitude elsewhere. */
    void spreadSigns(long[] words, float magnitude, float[] values, int length);

    /**
     * Rounds |x| scale at random to one of the two integers next to it, at most levels, with the
     * probability that keeps the mean; then gives it the sign of x and adds levels.
     *
     * @param scale at which no |x| is above levels but by rounding
     * @param first the number of the first element in the sequence of the key
     */
    void quantise(
            float[] values, int length, float scale, int levels, long key, int first, int[] codes);

    /** Whether the module is there: asked once, and answered without loading a class of it. */
    final class Vectorised {

        static final boolean AVAILABLE =
                ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

        private Vectorised() {}
    }
}
