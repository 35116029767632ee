package dev.equipoise.app.compare;

import dev.equipoise.performance.statistics.IntervalKind;
import dev.equipoise.performance.statistics.MeanEstimate;
import dev.equipoise.performance.statistics.TieGroups;
import dev.equipoise.performance.statistics.TieGroups.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Order of the seed groups by one figure, as far as their confidence intervals tell.
 *
 * @param figure name of the figure, as in the figures of a group
 * @param ties tie groups, the best first; each lists indices of seed groups whose intervals overlap
 *     that of its first one
 * @param unranked indices of seed groups without a confidence interval: three seeds a group that
 *     happen to be ordered are no evidence, as one order in ten is such by chance
 */
record ComparedRanking(String figure, List<List<Integer>> ties, List<Integer> unranked) {

    /** Ranks several seed groups; a single one has no order. */
    static List<ComparedRanking> of(List<ComparedGroup> groups, @Nullable Double target) {
        if (groups.size() < 2) {
            return List.of();
        }
        List<ComparedRanking> rankings = new ArrayList<>();
        rankings.add(of("finalAccuracy", groups, Estimates::finalAccuracy, false));
        rankings.add(of("trainingSeconds", groups, Estimates::trainingSeconds, true));
        if (target != null) {
            rankings.add(of("secondsToTarget", groups, Estimates::secondsToTarget, true));
        }
        return List.copyOf(rankings);
    }

    private static ComparedRanking of(
            String figure,
            List<ComparedGroup> groups,
            Function<Estimates, @Nullable MeanEstimate> estimateOf,
            boolean isLeastBest) {
        List<Ranked> ranked = new ArrayList<>();
        List<Integer> unranked = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            MeanEstimate estimate = estimateOf.apply(groups.get(group).figures());
            if (estimate != null && estimate.interval() == IntervalKind.CONFIDENCE) {
                ranked.add(Ranked.of(group, estimate));
            } else {
                unranked.add(group);
            }
        }
        Comparator<Ranked> ascending = Comparator.comparingDouble(Ranked::mean);
        ranked.sort(isLeastBest ? ascending : ascending.reversed());
        return new ComparedRanking(
                figure,
                TieGroups.of(ranked, Ranked::interval).stream()
                        .map(tie -> tie.stream().map(Ranked::group).toList())
                        .toList(),
                List.copyOf(unranked));
    }

    private record Ranked(int group, double mean, Interval interval) {

        static Ranked of(int group, MeanEstimate estimate) {
            return new Ranked(
                    group,
                    estimate.mean(),
                    new Interval(
                            Objects.requireNonNull(estimate.low()),
                            Objects.requireNonNull(estimate.high())));
        }
    }
}
