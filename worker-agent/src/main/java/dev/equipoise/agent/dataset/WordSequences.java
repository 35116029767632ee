package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;

/**
 * Text cut into sequences of equal length, across sentence borders; the label of each word is the
 * next word. A shorter remainder is dropped.
 */
record WordSequences(TokenizedText text, int length) implements TextSamples {

    @Override
    public int size() {
        return text.labels() / length;
    }

    @Override
    public int positions() {
        return length;
    }

    @Override
    public int words(int samples) {
        return samples * length + 1;
    }

    @Override
    public void write(int sample, int place, Minibatch into) {
        int start = sample * length;
        for (int position = 0; position < length; position++) {
            into.token(place, position, text.word(start + position));
            into.label(place, position, text.word(start + position + 1));
        }
    }
}
