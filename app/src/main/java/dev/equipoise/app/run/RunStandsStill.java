package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;

/**
 * Ranks of a run were lost, and the others can go on once they have their new places; published in
 * the transaction in which that is known.
 *
 * @param generation the one that has ended
 * @param left in the order of their new ranks
 */
public record RunStandsStill(
        RunId run,
        int generation,
        UUID project,
        RunConfiguration configuration,
        List<Left> left,
        Resumed resumed) {

    public RunStandsStill {
        left = List.copyOf(left);
    }

    /**
     * A rank that was not lost.
     *
     * @param place which of the definition's ranks it is
     * @param share samples an epoch, up to now
     */
    public record Left(WorkerId worker, int place, int share) {}
}
