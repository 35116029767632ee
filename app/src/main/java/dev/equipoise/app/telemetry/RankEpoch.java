package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.EpochFinished;
import org.jspecify.annotations.Nullable;

/**
 * Epoch of one rank as it was reported.
 *
 * @param generation generation in which the rank trained the epoch; another worker may have held
 *     the rank before
 * @param ranks number of ranks that report the epoch
 * @param testAccuracy accuracy of the mean of all replicas, from 0 to 1; null without an evaluation
 * @param testLoss loss of the mean of all replicas; null without an evaluation, and where an older
 *     agent reported the accuracy alone
 */
public record RankEpoch(
        int generation,
        int ranks,
        @Nullable Double testAccuracy,
        @Nullable Double testLoss,
        EpochFinished figures) {

    public int rank() {
        return figures.rank();
    }
}
