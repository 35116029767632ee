package dev.equipoise.app.compare;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Seed group: runs that differ in their seed alone. The figures count completed runs only.
 *
 * @param seeds seeds of the runs, in their order
 * @param completed number of completed runs
 * @param reached number of completed runs that reached the target
 * @param ratios ratios of the means; null if no run is completed, here or in the baseline
 * @param accuracyDifference paired difference of the compared accuracy to the baseline's, over
 *     equal seeds; null for the baseline itself, and if no seed is in both
 */
record ComparedGroup(
        String label,
        List<RunId> runs,
        List<Long> seeds,
        int completed,
        int reached,
        Estimates figures,
        @Nullable Ratios ratios,
        @Nullable MeanEstimate accuracyDifference) {

    /**
     * Summarizes at least one run.
     *
     * @param baseline runs of the baseline group
     * @param compared the accuracy of which the difference is
     */
    static ComparedGroup of(
            List<ComparedRun> group, List<ComparedRun> baseline, ComparedAccuracy compared) {
        List<Figures> figures = completed(group).map(ComparedRun::figures).toList();
        List<Figures> baselines = completed(baseline).map(ComparedRun::figures).toList();
        return new ComparedGroup(
                group.getFirst().label(),
                group.stream().map(ComparedRun::run).toList(),
                group.stream().map(ComparedRun::seed).toList(),
                figures.size(),
                (int) figures.stream().filter(it -> it.secondsToTarget() != null).count(),
                Estimates.of(figures),
                ratios(figures, baselines),
                group.equals(baseline)
                        ? null
                        : pairedDifference(
                                accuracies(group, compared), accuracies(baseline, compared)));
    }

    private static Stream<ComparedRun> completed(List<ComparedRun> group) {
        return group.stream().filter(run -> run.state() == RunState.COMPLETED);
    }

    private static @Nullable Ratios ratios(List<Figures> own, List<Figures> baseline) {
        return own.isEmpty() || baseline.isEmpty()
                ? null
                : Ratios.of(Estimates.of(own).means(), Estimates.of(baseline).means());
    }

    /** Returns the compared accuracies by seed; the mean of several runs with the same seed. */
    private static Map<Long, Double> accuracies(
            List<ComparedRun> group, ComparedAccuracy compared) {
        return completed(group)
                .filter(run -> run.figures().accuracy(compared) != null)
                .collect(
                        groupingBy(
                                ComparedRun::seed,
                                averagingDouble(run ->
                                        Objects.requireNonNull(run.figures().accuracy(compared)))));
    }

    /** Compares two groups seed by seed, which removes the variance that a seed causes in both. */
    static @Nullable MeanEstimate pairedDifference(
            Map<Long, Double> own, Map<Long, Double> baseline) {
        return MeanEstimate.of(
                own.entrySet().stream()
                        .filter(it -> baseline.containsKey(it.getKey()))
                        .map(it -> it.getValue() - baseline.getOrDefault(it.getKey(), 0.0))
                        .toList());
    }
}
