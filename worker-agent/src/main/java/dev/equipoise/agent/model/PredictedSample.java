package dev.equipoise.agent.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prediction of one label of a sample.
 *
 * @param sample index of the sample in its file or test set, from 0
 * @param position of the label in a sequence, from 0; 0 for samples with one label
 * @param label class in the data; null if the data have no labels
 * @param candidates most likely classes, the best first
 */
record PredictedSample(
        int sample, int position, @Nullable Integer label, List<Candidate> candidates) {

    PredictedSample {
        candidates = List.copyOf(candidates);
    }

    /**
     * A predicted class.
     *
     * @param value probability, or the network's output for a squared error; null for a distributed
     *     target code
     */
    record Candidate(int label, @Nullable Double value) {}

    int predicted() {
        return candidates.getFirst().label();
    }

    boolean isCorrect() {
        return label != null && label == predicted();
    }
}
