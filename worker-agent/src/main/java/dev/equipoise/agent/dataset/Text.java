package dev.equipoise.agent.dataset;

/**
 * Running text as numbers of words: a border, and then each sentence with a border behind it.
 * Immutable.
 */
final class Text {

    /** All words that are not told apart. */
    static final int UNKNOWN = 0;

    /** What stands between two sentences. */
    static final int BORDER = 1;

    /** The number of the most frequent word. */
    static final int FIRST_WORD = 2;

    private final int[] words;
    private final int vocabulary;

    /**
     * @param words not copied
     * @param vocabulary above every number
     */
    Text(int[] words, int vocabulary) {
        this.words = words;
        this.vocabulary = vocabulary;
    }

    int word(int place) {
        return words[place];
    }

    int vocabulary() {
        return vocabulary;
    }

    /** Words that another one precedes: all but the first border. */
    int labels() {
        return words.length - 1;
    }
}
