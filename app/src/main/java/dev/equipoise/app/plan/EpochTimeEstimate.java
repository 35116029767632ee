package dev.equipoise.app.plan;

import dev.equipoise.app.prediction.RankSeconds;
import java.util.List;

/**
 * The prediction of the epoch time model, without bias correction.
 *
 * @param epochSeconds seconds of the slowest rank
 * @param computeSeconds computing time of the rank that computes longest
 * @param bytes sent by all ranks together
 * @param shares samples an epoch, by rank
 * @param ranks phase times by rank
 */
record EpochTimeEstimate(
        double epochSeconds,
        double computeSeconds,
        double bytes,
        List<Integer> shares,
        List<RankSeconds> ranks) {

    EpochTimeEstimate {
        shares = List.copyOf(shares);
        ranks = List.copyOf(ranks);
    }

    /** The fraction of an epoch in which not even the busiest rank computes. */
    double exchangeShare() {
        return epochSeconds > 0 ? Math.max(0, 1 - computeSeconds / epochSeconds) : 0;
    }

    EpochTimeEstimate times(double factor) {
        return new EpochTimeEstimate(
                epochSeconds * factor,
                computeSeconds * factor,
                bytes,
                shares,
                ranks.stream().map(it -> it.times(factor)).toList());
    }
}
