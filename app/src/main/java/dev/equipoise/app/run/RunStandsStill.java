package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Ranks of a run were lost, or asked to stand still, and those that are left can go on once they
 * have their new places; published in the transaction in which that is known.
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

    /** Whether newcomers may join: within an epoch they would have no part of it. */
    public boolean isAtBeginning() {
        return resumed.continuation().from().round() == 0;
    }

    /** Whether nothing is lost with any of them, as each holds the weights. */
    public boolean isHeldByAll() {
        return resumed.continuation().holders().size() == left.size();
    }

    /** The same without those that leave it; of ranks that all hold the weights. */
    public RunStandsStill without(List<WorkerId> leaving) {
        if (leaving.isEmpty()) {
            return this;
        }
        List<Integer> staying =
                IntStream.range(0, left.size())
                        .filter(rank -> !leaving.contains(left.get(rank).worker()))
                        .boxed()
                        .toList();
        return new RunStandsStill(
                run,
                generation,
                project,
                configuration,
                staying.stream().map(left::get).toList(),
                resumed.among(staying));
    }

    /**
     * A rank that was not lost.
     *
     * @param place which of the definition's ranks it is
     * @param share samples an epoch, up to now
     */
    public record Left(WorkerId worker, int place, int share) {}
}
