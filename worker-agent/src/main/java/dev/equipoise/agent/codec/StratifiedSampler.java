package dev.equipoise.agent.codec;

/*
 * Stratified sampling (Cochran 1977): 0 .. d - 1 is cut into k stretches of equal length up to
 * rounding, and one index is drawn from each. An index in a stretch of length n is drawn with
 * probability 1/n, so that scaling by n keeps the mean; the variance, (n - 1) x^2, is that of
 * drawing k out of all d. Unlike then, the indices come in ascending order, without memory for
 * them, and a cache line is seldom read twice.
 */

/** Draws k of d indices in ascending order; equal keys give equal indices. */
final class StratifiedSampler {

    private final long elements;
    private final long count;
    private final long key;
    private long number;
    private long begin;
    private int length;

    /**
     * Starts a sequence.
     *
     * @param count number of indices, at most {@code elements}
     */
    StratifiedSampler(int elements, int count, long key) {
        this.elements = elements;
        this.count = count;
        this.key = key;
    }

    /** Returns the index drawn from the next stretch. */
    int next() {
        long stretchBegin = begin;
        number++;
        begin = number * elements / count;
        length = (int) (begin - stretchBegin);
        return (int) stretchBegin + CodecRandom.below(length, key, number);
    }

    /** Length of the stretch of the last index. */
    int length() {
        return length;
    }
}
