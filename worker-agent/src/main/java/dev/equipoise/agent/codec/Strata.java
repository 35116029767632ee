package dev.equipoise.agent.codec;

/*
 * Stratified sampling: 0 .. d - 1 is cut into k stretches, as equal as they can be, and one index
 * is drawn from each. An index of a stretch of n is drawn with probability 1/n, so that scaling by n
 * keeps the mean, and the variance, (n - 1) x^2, is that of drawing k out of all d. Unlike those, the
 * indices come in order, without memory for them, and a cache line is seldom read twice.
 */

/** Draws k indices out of d, in growing order; the same for the same key. */
final class Strata {

    private final long elements;
    private final long count;
    private final long key;
    private long number;
    private long begin;
    private int length;

    /**
     * Begins a sequence.
     *
     * @param count of the indices, at most elements
     */
    Strata(int elements, int count, long key) {
        this.elements = elements;
        this.count = count;
        this.key = key;
    }

    /** The index drawn from the next stretch. */
    int next() {
        long drawnFrom = begin;
        number++;
        begin = number * elements / count;
        length = (int) (begin - drawnFrom);
        return (int) drawnFrom + Chance.below(length, key, number);
    }

    /** How long the stretch of the last index is. */
    int length() {
        return length;
    }
}
