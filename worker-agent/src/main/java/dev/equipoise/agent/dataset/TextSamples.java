package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.util.Objects;

/** Samples of a text, whose words are both inputs and labels. */
sealed interface TextSamples extends Dataset permits WordSequences, WordWindows {

    TokenizedText text();

    /** Returns the number of input words of a sample. */
    int length();

    /** Writes the words and labels of a sample to a place in the mini-batch. */
    void write(int sample, int place, Minibatch into);

    @Override
    default Tokens shape() {
        return new Tokens(length(), text().vocabulary());
    }

    @Override
    default int classes() {
        return text().vocabulary();
    }

    /** Returns the number of words that the first samples contain, from the first border. */
    int words(int samples);

    /** Adds the words, which are both inputs and labels. */
    @Override
    default void addInputs(SampleDigest digest, int samples) {
        digest.add(length());
        text().addTo(digest, words(samples));
    }

    @Override
    default void addLabels(SampleDigest digest, int samples) {
        // The labels are words of the inputs.
    }

    @Override
    default void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        into.resize(count);
        for (int i = 0; i < count; i++) {
            write(Objects.checkIndex(order[from + i], size()), i, into);
        }
    }
}
