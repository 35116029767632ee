package dev.equipoise.app.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long an epoch should take, in seconds.
 *
 * @param computeSeconds of the rank that computes longest
 * @param exchangeSeconds what the epoch lasts beyond that
 * @param epochSeconds the two together
 * @param modelSeconds an epoch by the time model alone, before what earlier runs took has corrected
 *     it
 * @param uncertainty u, for which an epoch is expected between epochSeconds / (1 + u) and
 *     epochSeconds (1 + u); null in predictions of earlier versions, which told none
 * @param bytes that all ranks together send in an epoch; null where an earlier version told none
 * @param doubts what was guessed, in words
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
