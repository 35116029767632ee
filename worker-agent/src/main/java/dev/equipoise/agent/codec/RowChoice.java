package dev.equipoise.agent.codec;

/*
 * Xiao, Zhu, Liu and Zhang, IJCAI 2017, and Li and others, Journal of Chinese Information Processing
 * 2018(7), send of the output weights of a language model the rows of the words in the mini-batch, of
 * frequent words, and of some others at random (ALGORITHMS section 6).
 */

/** Which rows of a matrix, or which columns, are sent in a round. */
@FunctionalInterface
public interface RowChoice {

    /**
     * Adds rows to the set.
     *
     * @param chance to draw by
     * @param rows as large as the matrix has rows
     */
    void choose(Chance chance, Bitmap rows);

    /** The first rows: the frequent words, where a vocabulary is ordered by frequency. */
    static RowChoice first(int count) {
        return (_, rows) -> {
            for (int i = 0; i < Math.min(count, rows.size()); i++) {
                rows.set(i);
            }
        };
    }

    /**
     * Some of the rows behind the first so many, drawn anew each round, but by all ranks alike.
     *
     * @param rate above 0, at most 1
     */
    static RowChoice sampledBehind(int first, double rate) {
        var fraction = new Fraction(rate);
        return (chance, rows) -> {
            int others = Math.max(0, rows.size() - first);
            int count = fraction.of(others);
            var strata = new Strata(others, count, chance.shared());
            for (int i = 0; i < count; i++) {
                rows.set(first + strata.next());
            }
        };
    }

    /** The rows of both. */
    default RowChoice and(RowChoice other) {
        return (chance, rows) -> {
            choose(chance, rows);
            other.choose(chance, rows);
        };
    }
}
