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
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ranking of seed groups by one figure, with tie groups.
 *
 * @param figure name of the figure, as in the figures of a group
 * @param ties tie groups, the best first; each lists indices of seed groups. A group is in the tie
 *     group of a better one unless the confidence interval of their difference, for times that of
 *     their ratio, says that it is worse.
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
     * Ranks several seed groups by the compared accuracy and by times; a single one has no order.
     */
    static List<ComparedRanking> of(List<SeedRuns> groups, Criterion criterion) {
        if (groups.size() < 2) {
            return List.of();
        }
        List<ComparedRanking> rankings = new ArrayList<>();
        rankings.add(
                of(
                        criterion.figure(),
                        groups,
                        run -> run.figures().accuracy(criterion.compared()),
                        Comparator.comparingDouble(Ranked::mean).reversed(),
                        ComparedRanking::mayBeAsAccurate));
        rankings.add(byTime("trainingSeconds", groups, run -> run.figures().trainingSeconds()));
        if (criterion.target() != null) {
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
        return confident(
                        SeedComparison.difference(
                                first.values, other.values, ValueRange.FRACTION_DIFFERENCE))
                .map(gain -> Objects.requireNonNull(gain.low()) <= 0)
                .orElse(true);
    }

    private static boolean mayBeAsFast(Ranked first, Ranked other) {
        return confident(SeedComparison.ratio(first.values, other.values))
                .map(ratio -> Objects.requireNonNull(ratio.high()) >= 1)
                .orElse(true);
    }

    private static Optional<MeanEstimate> confident(@Nullable MeanEstimate estimate) {
        return Optional.ofNullable(estimate).filter(it -> it.interval() == IntervalKind.CONFIDENCE);
    }
}
