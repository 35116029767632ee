package dev.equipoise.app.dispatch;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The placement of a run.
 *
 * @param chosen the complete configuration of a run with automatic configuration; null for others
 * @param allocations in rank order; one worker may have all ranks
 * @param hybrid how the ranks share hidden units; null for other runs
 * @param speeds speeds of the ranks of a virtual run that defines none; else empty
 * @param costs costs of the links between the ranks, if the run follows links; else empty
 */
public record RunOffer(
        RunId run,
        @Nullable RunConfiguration chosen,
        List<RankAllocation> allocations,
        @Nullable HybridAllocationView hybrid,
        List<Execution.Speed> speeds,
        List<MeasuredLink> costs) {

    public RunOffer {
        allocations = List.copyOf(allocations);
        speeds = List.copyOf(speeds);
        costs = List.copyOf(costs);
    }

    /** The workers in one fixed order, so that concurrent transactions do not deadlock. */
    Stream<WorkerId> workers() {
        return allocations.stream()
                .map(RankAllocation::worker)
                .distinct()
                .sorted(Comparator.comparing(WorkerId::toString));
    }
}
