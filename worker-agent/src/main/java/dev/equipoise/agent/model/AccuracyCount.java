package dev.equipoise.agent.model;

import java.util.Locale;

/** Counts the correct predictions among those with labels. */
final class AccuracyCount {

    private long predictions;
    private long labeled;
    private long correct;

    void add(PredictedSample prediction) {
        predictions++;
        labeled += prediction.label() == null ? 0 : 1;
        correct += prediction.isCorrect() ? 1 : 0;
    }

    long predictions() {
        return predictions;
    }

    long correct() {
        return correct;
    }

    boolean isKnown() {
        return labeled > 0;
    }

    /** Returns the share of correct predictions, from 0 to 1. */
    double accuracy() {
        return (double) correct / labeled;
    }

    /** Returns a sentence for people. */
    String text() {
        return isKnown()
                ? String.format(
                        Locale.ROOT,
                        "accuracy %.4f: %d of %d predictions are correct",
                        accuracy(),
                        correct,
                        labeled)
                : "%d predictions; the data have no labels".formatted(predictions);
    }
}
