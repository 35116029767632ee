package dev.equipoise.app.prediction;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Predicted time and traffic of an epoch, in seconds and bytes.
 *
 * @param computeSeconds computing time of the rank that computes longest, in seconds
 * @param exchangeSeconds rest of the epoch
 * @param epochSeconds sum of the two
 * @param modelSeconds time of an epoch by the time model alone, before the correction by earlier
 *     runs, in seconds
 * @param uncertainty u, for which an epoch is expected between epochSeconds / (1 + u) and
 *     epochSeconds (1 + u); null in predictions of earlier versions
 * @param bytes bytes that all ranks together send in an epoch; null in predictions of earlier
 *     versions
 * @param doubts assumptions behind the prediction, in words
 */
public record Prediction(
        double computeSeconds,
        double exchangeSeconds,
        double epochSeconds,
        double modelSeconds,
        @Nullable Double uncertainty,
        @Nullable Long bytes,
        List<String> doubts) {

    public Prediction {
        doubts = List.copyOf(doubts);
    }
}
