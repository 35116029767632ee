package dev.equipoise.app.prediction;

import java.util.List;

/**
 * Prediction of a run with the seconds of each of its ranks.
 *
 * @param ranks in ascending order; a server computes nothing and waits for no rank
 */
public record Forecast(Prediction prediction, List<RankSeconds> ranks) {

    public Forecast {
        ranks = List.copyOf(ranks);
    }
}
