package dev.equipoise.app.recovery;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Run whose ranks were lost or asked to suspend; the remaining ones continue once they have new
 * numbers and shares.
 *
 * @param generation generation that has ended
 * @param left remaining ranks in the order of their new numbers
 * @param resumed retained state with which they continue
 */
public record SuspendedRun(
        RunId run,
        int generation,
        UUID project,
        RunConfiguration configuration,
        List<Survivor> left,
        ResumePoint resumed) {

    public SuspendedRun {
        left = List.copyOf(left);
    }

    /** Whether other workers may join; within an epoch they would have no share. */
    public boolean isAtBeginning() {
        return resumed.continuation().from().round() == 0;
    }

    /** Whether each remaining rank holds the weights, so that any of them may leave. */
    public boolean isHeldByAll() {
        return resumed.continuation().holders().size() == left.size();
    }

    /** Returns the run without the ranks of leaving workers; all ranks must hold the weights. */
    public SuspendedRun without(List<WorkerId> leaving) {
        if (leaving.isEmpty()) {
            return this;
        }
        return among(
                IntStream.range(0, left.size())
                        .filter(rank -> !leaving.contains(left.get(rank).worker()))
                        .boxed()
                        .toList());
    }

    private SuspendedRun among(List<Integer> ranks) {
        return new SuspendedRun(
                run,
                generation,
                project,
                configuration,
                ranks.stream().map(left::get).toList(),
                resumed.among(ranks));
    }

    /**
     * Remaining rank.
     *
     * @param place the definition's rank that it stands for
     * @param share samples of an epoch, up to now
     */
    public record Survivor(WorkerId worker, int place, int share) {}
}
