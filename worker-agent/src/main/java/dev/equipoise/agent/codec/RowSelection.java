package dev.equipoise.agent.codec;

/*
 * Xiao, Zhu, Liu and Zhang, IJCAI 2017, and Li and others, Journal of Chinese Information
 * Processing 2018(7), send of the output weights of a language model the rows of the words in the
 * mini-batch, of frequent words, and of some others at random (docs/algorithms.md, section 6).
 */

/** Chooses the rows, or columns, of a matrix that are sent in a round. */
@FunctionalInterface
public interface RowSelection {

    /**
     * Adds the chosen rows to the set.
     *
     * @param random the source of random choices
     * @param rows a set as large as the matrix has rows
     */
    void choose(CodecRandom random, Bitmap rows);

    /** Chooses the first rows: the frequent words, if the vocabulary is ordered by frequency. */
    static RowSelection first(int count) {
        return (_, rows) -> {
            for (int i = 0; i < Math.min(count, rows.size()); i++) {
                rows.set(i);
            }
        };
    }

    /**
     * Chooses a fraction of the rows behind the first ones, redrawn each round, with equal choices
     * on all ranks.
     *
     * @param first number of rows that are skipped
     * @param rate fraction of the other rows, above 0, at most 1
     */
    static RowSelection sampledBehind(int first, double rate) {
        var fraction = new Fraction(rate);
        return (random, rows) -> {
            int others = Math.max(0, rows.size() - first);
            int count = fraction.of(others);
            var sampler = new StratifiedSampler(others, count, random.shared());
            for (int i = 0; i < count; i++) {
                rows.set(first + sampler.next());
            }
        };
    }

    /** Chooses the rows of both selections. */
    default RowSelection and(RowSelection other) {
        return (random, rows) -> {
            choose(random, rows);
            other.choose(random, rows);
        };
    }
}
