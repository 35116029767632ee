package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.util.Objects;

/**
 * A text cut into pieces of equal length, which run across the borders of sentences; the label of
 * each word is the next. What is left at the end is not used.
 */
record WordSequences(Text text, int length) implements Dataset {

    @Override
    public int size() {
        return text.labels() / length;
    }

    @Override
    public Tokens shape() {
        return new Tokens(length, text.vocabulary());
    }

    @Override
    public int positions() {
        return length;
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
            int start = Objects.checkIndex(order[from + i], size()) * length;
            for (int position = 0; position < length; position++) {
                into.token(i, position, text.word(start + position));
                into.label(i, position, text.word(start + position + 1));
            }
        }
    }
}
