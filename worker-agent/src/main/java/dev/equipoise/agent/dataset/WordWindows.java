package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.util.Objects;

/**
 * Each word of a text, and each end of a sentence, with the words before it in its sentence; before
 * the first word there are borders only.
 */
record WordWindows(Text text, int length) implements Dataset {

    @Override
    public int size() {
        return text.labels();
    }

    @Override
    public Tokens shape() {
        return new Tokens(length, text.vocabulary());
    }

    @Override
    public int positions() {
        return 1;
    }

    @Override
    public int classes() {
        return text.vocabulary();
    }

    @Override
    public void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        into.resize(count);
        for (int i = 0; i < count; i++) {
            int label = 1 + Objects.checkIndex(order[from + i], size());
            into.label(i, 0, text.word(label));
            fill(label, i, into);
        }
    }

    private void fill(int label, int sample, Minibatch into) {
        int place = label;
        for (int position = length - 1; position >= 0; position--) {
            if (place == label || text.word(place) != Text.BORDER) {
                place--;
            }
            into.token(sample, position, text.word(place));
        }
    }
}
