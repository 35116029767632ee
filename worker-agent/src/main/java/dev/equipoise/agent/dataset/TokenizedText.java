package dev.equipoise.agent.dataset;

/**
 * Text as word indices, with a border token before the first sentence and behind each sentence.
 * Immutable.
 */
final class TokenizedText {

    /** Index of all words outside the vocabulary. */
    static final int UNKNOWN = 0;

    /** Index of the border token between sentences. */
    static final int BORDER = 1;

    /** Index of the most frequent word. */
    static final int FIRST_WORD = 2;

    private final int[] words;
    private final int vocabulary;

    /**
     * @param words not copied
     * @param vocabulary greater than every index
     */
    TokenizedText(int[] words, int vocabulary) {
        this.words = words;
        this.vocabulary = vocabulary;
    }

    int word(int index) {
        return words[index];
    }

    void addTo(SampleDigest digest, int count) {
        digest.add(words, count);
    }

    int vocabulary() {
        return vocabulary;
    }

    /** Returns the number of words that have a predecessor: all but the first border. */
    int labels() {
        return words.length - 1;
    }
}
