package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Event: all ranks of a run are ready, and it trains.
 *
 * @param ranks in ascending order
 * @param allReduceSeconds seconds of one all-reduce over all ranks on the slowest of them, measured
 *     over the run's own channel; 0 if the run has none
 * @param hybrid which ranks share hidden units; null if none do
 */
public record RunStarted(
        RunId run,
        RunConfiguration configuration,
        List<Taken> ranks,
        double allReduceSeconds,
        @Nullable HybridAllocationView hybrid) {

    public RunStarted {
        ranks = List.copyOf(ranks);
    }

    /**
     * Rank with its worker.
     *
     * @param share samples of an epoch
     */
    public record Taken(WorkerId worker, int share) {}
}
