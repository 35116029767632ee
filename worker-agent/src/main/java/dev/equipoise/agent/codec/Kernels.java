package dev.equipoise.agent.codec;

/**
 * The inner loops of the codecs, over arrays that stay in the nearest cache. Two implementations
 * give the same bits: one in plain Java, and one on the Vector API, which is available only if the
 * virtual machine was started with its module. An instance has scratch memory for one thread.
 *
 * <p>Arrays are as long as the next multiple of {@link #STRIDE}, and zero behind the given length.
 */
interface Kernels {

    /** Elements for one word of a bitmap. */
    int STRIDE = Long.SIZE;

    /**
     * Number of partial sums: element i is added in lane i mod 16, then the lanes are added in
     * order.
     */
    int LANES = 16;

    /** Returns the fastest implementation that this virtual machine can run. */
    static Kernels fastest() {
        return VectorApi.AVAILABLE ? new VectorKernels() : new ScalarKernels();
    }

    /** Returns whether no element is NaN or infinite. */
    boolean areFinite(float[] values, int length);

    /** Returns the sum of |x|, computed in float32; it may overflow to infinity. */
    double sumOfMagnitudes(float[] values, int length);

    /** Returns the sum of x y, computed in float32; it may overflow to infinity. */
    double dot(float[] left, float[] right, int length);

    /** Sets the bits of the elements with |x| > threshold and clears the others. */
    void markAbove(float[] values, int length, float threshold, long[] words, int firstWord);

    /**
     * Copies the elements whose bits are set to the front of another array, in order; its contents
     * behind them are undefined.
     *
     * @return the number of copied elements
     */
    int compress(float[] values, int length, long[] words, int firstWord, float[] target);

    /** Sets the bits of the elements below zero and clears the others. */
    void markNegative(float[] values, int length, long[] words, int firstWord);

    /** Writes -magnitude if a bit is set, else magnitude. */
    void spreadSigns(long[] words, float magnitude, float[] values, int length);

    /**
     * Stochastic rounding: rounds |x| scale at random to one of the two adjacent integers, at most
     * {@code levels}, with the probability that keeps the mean; then applies the sign of x and adds
     * {@code levels}.
     *
     * @param scale such that |x| scale exceeds {@code levels} by rounding only
     * @param first number of the first element in the random sequence of the key
     */
    void quantize(
            float[] values, int length, float scale, int levels, long key, int first, int[] codes);

    /** Detects the Vector API module once, without loading a class of it. */
    final class VectorApi {

        static final boolean AVAILABLE =
                ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

        private VectorApi() {}
    }
}
