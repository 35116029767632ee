package dev.equipoise.app.compare;

import dev.equipoise.performance.statistics.IntervalKind;
import dev.equipoise.performance.statistics.MeanEstimate;
import dev.equipoise.performance.statistics.SeedComparison;
import dev.equipoise.performance.statistics.TieGroups;
import dev.equipoise.performance.statistics.ValueRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Order of the seed groups by one figure, as far as their seeds tell.
 *
 * @param figure name of the figure, as in the figures of a group
 * @param ties tie groups, the best first; each lists indices of seed groups. The confidence
 *     interval of the difference of a group to the first one of its tie group, paired by seed,
 *     includes no difference, or fewer than four seeds are common.
 * @param unranked indices of seed groups with fewer than four completed seeds, or without the
 *     figure: of two groups with three seeds, one is ahead in all in one case of ten by chance
 */
record ComparedRanking(String figure, List<List<Integer>> ties, List<Integer> unranked) {

    /** A seed group with the figure by seed. */
    private record Ranked(int group, SortedMap<Long, Double> values) {

        double mean() {
            return values.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElseThrow();
        }
    }

    /**
     * Ranks several seed groups; a single one has no order.
     *
     * @param target test accuracy of the times to accuracy; null without a target
     */
    static List<ComparedRanking> of(List<SeedRuns> groups, @Nullable Double target) {
        if (groups.size() < 2) {
            return List.of();
        }
        List<ComparedRanking> rankings = new ArrayList<>();
        rankings.add(
                of(
                        "finalAccuracy",
                        groups,
                        run -> run.figures().finalAccuracy(),
                        Comparator.comparingDouble(Ranked::mean).reversed(),
                        ComparedRanking::mayBeAsAccurate));
        rankings.add(byTime("trainingSeconds", groups, run -> run.figures().trainingSeconds()));
        if (target != null) {
            rankings.add(byTime("secondsToTarget", groups, run -> run.figures().secondsToTarget()));
        }
        return List.copyOf(rankings);
    }

    private static ComparedRanking byTime(
            String figure, List<SeedRuns> groups, Function<ComparedRun, @Nullable Number> time) {
        return of(
                figure,
                groups,
                time,
                Comparator.comparingDouble(Ranked::mean),
                ComparedRanking::mayBeAsFast);
    }

    private static ComparedRanking of(
            String figure,
            List<SeedRuns> groups,
            Function<ComparedRun, @Nullable Number> valueOf,
            Comparator<Ranked> bestFirst,
            BiPredicate<Ranked, Ranked> isTied) {
        List<Ranked> ranked = new ArrayList<>();
        List<Integer> unranked = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            SortedMap<Long, Double> values = groups.get(group).values(valueOf);
            if (values.size() < MeanEstimate.MIN_CONFIDENCE_VALUES) {
                unranked.add(group);
            } else {
                ranked.add(new Ranked(group, values));
            }
        }
        ranked.sort(bestFirst);
        return new ComparedRanking(
                figure,
                TieGroups.of(ranked, isTied).stream()
                        .map(tie -> tie.stream().map(Ranked::group).toList())
                        .toList(),
                List.copyOf(unranked));
    }

    private static boolean mayBeAsAccurate(Ranked first, Ranked other) {
        return mayBe(
                0,
                SeedComparison.difference(
                        first.values, other.values, ValueRange.FRACTION_DIFFERENCE));
    }

    private static boolean mayBeAsFast(Ranked first, Ranked other) {
        return mayBe(1, SeedComparison.ratio(first.values, other.values));
    }

    private static boolean mayBe(double value, @Nullable MeanEstimate estimate) {
        return estimate == null
                || estimate.interval() != IntervalKind.CONFIDENCE
                || (Objects.requireNonNull(estimate.low()) <= value
                        && value <= Objects.requireNonNull(estimate.high()));
    }
}
