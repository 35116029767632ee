package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All ranks of a run are ready, and it trains.
 *
 * @param ranks in their order
 * @param allReduceSeconds one sum over all ranks by the slowest of them, measured over the run's
 *     own channel; 0 where the run has none
 * @param hybrid who shares hidden units with whom; null where nobody does
 */
public record RunStarted(
        RunId run,
        RunConfiguration configuration,
        List<Taken> ranks,
        double allReduceSeconds,
        @Nullable Hybrid hybrid) {

    public RunStarted {
        ranks = List.copyOf(ranks);
    }

    /**
     * A rank and who has it.
     *
     * @param share samples an epoch
     */
    public record Taken(WorkerId worker, int share) {}
}
