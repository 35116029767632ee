package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;

/**
 * Windows over a text: each word or sentence end is the label of the words before it in its
 * sentence, padded with borders in front.
 */
record WordWindows(TokenizedText text, int length) implements TextSamples {

    @Override
    public int size() {
        return text.labels();
    }

    @Override
    public int positions() {
        return 1;
    }

    @Override
    public int words(int samples) {
        return samples + 1;
    }

    @Override
    public void write(int sample, int place, Minibatch into) {
        int label = sample + 1;
        into.label(place, 0, text.word(label));
        int index = label;
        for (int position = length - 1; position >= 0; position--) {
            if (index == label || text.word(index) != TokenizedText.BORDER) {
                index--;
            }
            into.token(place, position, text.word(index));
        }
    }
}
