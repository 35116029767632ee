package dev.equipoise.app.compare;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;

import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs that are equal but for the seed. Only those that are completed count in the figures.
 *
 * @param seeds of the runs, in their order
 * @param completed how many of the runs are
 * @param reached how many of these reached the target
 * @param ratios of the means; null where no run is completed, here or in the baseline
 * @param accuracyDifference final accuracy less the baseline's, over pairs of equal seeds; null for
 *     the baseline itself, and where no seed is in both
 */
record ComparedGroup(
        String label,
        List<RunId> runs,
        List<Long> seeds,
        int completed,
        int reached,
        Estimates figures,
        @Nullable Ratios ratios,
        @Nullable Estimate accuracyDifference) {

    /**
     * Sums up at least one run.
     *
     * @param baseline the runs of the group that the others are measured against
     */
    static ComparedGroup of(List<ComparedRun> group, List<ComparedRun> baseline) {
        List<Figures> figures = completed(group).map(ComparedRun::figures).toList();
        List<Figures> baselines = completed(baseline).map(ComparedRun::figures).toList();
        Estimates estimates = Estimates.of(figures);
        return new ComparedGroup(
                group.getFirst().label(),
                group.stream().map(ComparedRun::run).toList(),
                group.stream().map(ComparedRun::seed).toList(),
                figures.size(),
                (int) figures.stream().filter(it -> it.secondsToTarget() != null).count(),
                estimates,
                figures.isEmpty() || baselines.isEmpty()
                        ? null
                        : Ratios.of(estimates.means(), Estimates.of(baselines).means()),
                group.equals(baseline)
                        ? null
                        : pairedDifference(accuracies(group), accuracies(baseline)));
    }

    private static Stream<ComparedRun> completed(List<ComparedRun> group) {
        return group.stream().filter(run -> run.state() == RunState.COMPLETED);
    }

    /** By seed; where several runs have the same, their mean. */
    private static Map<Long, Double> accuracies(List<ComparedRun> group) {
        return completed(group)
                .filter(run -> run.figures().finalAccuracy() != null)
                .collect(
                        groupingBy(
                                ComparedRun::seed,
                                averagingDouble(run ->
                                        Objects.requireNonNull(run.figures().finalAccuracy()))));
    }

    /** What runs of equal seeds have in common falls out of their differences. */
    static @Nullable Estimate pairedDifference(Map<Long, Double> own, Map<Long, Double> baseline) {
        return Estimate.of(
                own.entrySet().stream()
                        .filter(it -> baseline.containsKey(it.getKey()))
                        .map(it -> it.getValue() - baseline.getOrDefault(it.getKey(), 0.0))
                        .toList());
    }
}
