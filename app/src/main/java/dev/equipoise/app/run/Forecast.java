package dev.equipoise.app.run;

import java.util.List;

/**
 * A prediction with all of its ranks.
 *
 * @param ranks in their order; who serves computes nothing and waits for nobody
 */
public record Forecast(Prediction prediction, List<RankSeconds> ranks) {

    public Forecast {
        ranks = List.copyOf(ranks);
    }
}
