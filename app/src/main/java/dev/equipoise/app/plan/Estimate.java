package dev.equipoise.app.plan;

import dev.equipoise.app.run.RankSeconds;
import java.util.List;

/**
 * An epoch, by the time model.
 *
 * @param epochSeconds of the slowest rank
 * @param computeSeconds of the rank that computes longest
 * @param bytes that all ranks together send
 * @param shares samples an epoch, by rank
 * @param ranks by rank
 */
record Estimate(
        double epochSeconds,
        double computeSeconds,
        double bytes,
        List<Integer> shares,
        List<RankSeconds> ranks) {

    Estimate {
        shares = List.copyOf(shares);
        ranks = List.copyOf(ranks);
    }

    /** The part of an epoch in which not even the busiest rank computes. */
    double exchangeShare() {
        return epochSeconds > 0 ? Math.max(0, 1 - computeSeconds / epochSeconds) : 0;
    }

    Estimate times(double factor) {
        return new Estimate(
                epochSeconds * factor,
                computeSeconds * factor,
                bytes,
                shares,
                ranks.stream().map(it -> it.times(factor)).toList());
    }
}
