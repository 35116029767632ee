package dev.equipoise.app.compare;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.performance.statistics.MeanEstimate;
import dev.equipoise.performance.statistics.SeedComparison;
import dev.equipoise.performance.statistics.ValueRange;
import dev.equipoise.protocol.RunId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Seed group: runs that differ in their seed alone. The figures count completed runs only.
 *
 * @param label written fields in which the group differs from the others, seed excluded
 * @param runs ids of the runs, in the order of their seeds
 * @param seeds seeds of the runs, in their order
 * @param completed number of completed runs
 * @param reached number of completed runs that reached the target
 * @param figures mean figures of the completed runs
 * @param ratios geometric means of the ratios to the baseline; null if no run is completed, here or
 *     in the baseline
 * @param ratioEstimates ratios with their intervals; null for the baseline itself as well
 * @param accuracyDifference difference of the compared accuracy to the baseline's; null for the
 *     baseline itself, and if a completed run of either group lacks this accuracy
 * @param commonSeeds completed seeds by which ratios and difference are paired with the baseline;
 *     empty for the baseline itself, and if they are not paired
 */
record ComparedGroup(
        String label,
        List<RunId> runs,
        List<Long> seeds,
        int completed,
        int reached,
        Estimates figures,
        @Nullable Ratios ratios,
        @Nullable RatioEstimates ratioEstimates,
        @Nullable MeanEstimate accuracyDifference,
        List<Long> commonSeeds) {

    /**
     * Summarizes at least one run.
     *
     * @param baseline runs of the baseline group
     * @param compared the accuracy of which the difference is
     */
    static ComparedGroup of(
            List<ComparedRun> group, List<ComparedRun> baseline, ComparedAccuracy compared) {
        SeedRuns own = SeedRuns.of(group);
        SeedRuns other = SeedRuns.of(baseline);
        boolean isBaseline = group.equals(baseline);
        RatioEstimates ratios = ratios(own, other);
        return new ComparedGroup(
                group.getFirst().label(),
                group.stream().map(ComparedRun::run).toList(),
                group.stream().map(ComparedRun::seed).toList(),
                own.figures().size(),
                (int) own.figures().stream().filter(it -> it.secondsToTarget() != null).count(),
                Estimates.of(own),
                ratios == null ? null : ratios.means(),
                isBaseline ? null : ratios,
                isBaseline ? null : accuracyDifference(own, other, compared),
                isBaseline
                        ? List.of()
                        : List.copyOf(SeedComparison.paired(own.bySeed(), other.bySeed())));
    }

    private static @Nullable RatioEstimates ratios(SeedRuns own, SeedRuns baseline) {
        return own.bySeed().isEmpty() || baseline.bySeed().isEmpty()
                ? null
                : RatioEstimates.of(own, baseline);
    }

    private static @Nullable MeanEstimate accuracyDifference(
            SeedRuns own, SeedRuns baseline, ComparedAccuracy compared) {
        return SeedComparison.difference(
                own.values(run -> run.figures().accuracy(compared)),
                baseline.values(run -> run.figures().accuracy(compared)),
                ValueRange.FRACTION_DIFFERENCE);
    }
}
