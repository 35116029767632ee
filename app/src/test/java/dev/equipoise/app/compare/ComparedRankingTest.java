package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.ComparedAccuracy;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComparedRankingTest {

    /** Creates the group of the seeds from 1 with these training times; all accuracies are 0.9. */
    private static SeedRuns group(double... seconds) {
        return groupFrom(1, seconds);
    }

    private static SeedRuns groupFrom(long firstSeed, double... seconds) {
        return SeedRuns.of(
                IntStream.range(0, seconds.length)
                        .mapToObj(i -> TestingComparison.run(firstSeed + i, 0.9, seconds[i]))
                        .toList());
    }

    private static final SeedRuns SLOW = group(20, 21, 22, 23);
    private static final SeedRuns FAST = group(10, 11, 12, 13);

    /** Faster than {@link #FAST} with two seeds, slower with the two others. */
    private static final SeedRuns AS_FAST = group(10.6, 10.5, 12.5, 12.5);

    private static final SeedRuns FEW_SEEDS = group(1, 1, 1);

    private static final Criterion NO_TARGET = new Criterion(ComparedAccuracy.MEAN, null);
    private static final Criterion HALF = new Criterion(ComparedAccuracy.MEAN, 0.5);

    private static ComparedRanking byTraining(SeedRuns... groups) {
        return ComparedRanking.of(List.of(groups), NO_TARGET).get(1);
    }

    private static ComparedRanking training(List<List<Integer>> ties, Integer... unranked) {
        return new ComparedRanking("trainingSeconds", ties, List.of(unranked));
    }

    @Test
    void groupsThatMayBeEqualTie() {
        assertThat(ComparedRanking.of(List.of(SLOW, AS_FAST, FEW_SEEDS, FAST), NO_TARGET))
                .containsExactly(
                        new ComparedRanking("finalAccuracy", List.of(List.of(0, 1, 3)), List.of(2)),
                        training(List.of(List.of(3, 1), List.of(0)), 2));
    }

    /** The accuracies of the means tell the groups apart in the other order. */
    @Test
    void replicasAreRankedIfTheDefinitionComparesThem() {
        SeedRuns close = replicas(0.9, 0.6, 0.61, 0.62, 0.63);
        SeedRuns apart = replicas(0.95, 0.3, 0.31, 0.32, 0.33);

        assertThat(
                        ComparedRanking.of(
                                List.of(apart, close),
                                new Criterion(ComparedAccuracy.REPLICAS, null)))
                .contains(ranking("replicaAccuracy", 1, 0))
                .noneMatch(it -> it.figure().equals("finalAccuracy"));
        assertThat(ComparedRanking.of(List.of(apart, close), NO_TARGET))
                .contains(ranking("finalAccuracy", 0, 1));
    }

    private static ComparedRanking ranking(String figure, int first, int second) {
        return new ComparedRanking(figure, List.of(List.of(first), List.of(second)), List.of());
    }

    /** Creates the group of the seeds from 1 whose mean model has another accuracy. */
    private static SeedRuns replicas(double mean, double... replicas) {
        return SeedRuns.of(
                IntStream.range(0, replicas.length)
                        .mapToObj(i -> TestingComparison.replicas(1 + i, mean, replicas[i]))
                        .toList());
    }

    /** The intervals of the two means overlap; each seed is ten percent slower. */
    @Test
    void pairedSeedsTellGroupsWithOverlappingIntervalsApart() {
        assertThat(byTraining(group(11.0, 22.1, 33.2, 44.1), group(10, 20, 30, 40)))
                .isEqualTo(training(List.of(List.of(1), List.of(0))));
    }

    /** Two pairs would tell less than the eight runs. */
    @Test
    void groupsWithFewCommonSeedsAreToldApart() {
        assertThat(byTraining(groupFrom(3, 20, 21, 22, 23), FAST))
                .isEqualTo(training(List.of(List.of(1), List.of(0))));
    }

    /** Without a common seed, eight runs are compared as independent ones. */
    @Test
    void groupsWithoutCommonSeedAreToldApart() {
        assertThat(byTraining(groupFrom(11, 20, 21, 22, 23), FAST))
                .isEqualTo(training(List.of(List.of(1), List.of(0))));
    }

    @Test
    void targetAddsARanking() {
        assertThat(ComparedRanking.of(List.of(SLOW, FAST), HALF))
                .contains(
                        new ComparedRanking(
                                "secondsToTarget", List.of(List.of(1), List.of(0)), List.of()));
    }

    @Test
    void singleGroupHasNoRanking() {
        assertThat(ComparedRanking.of(List.of(FAST), HALF)).isEmpty();
    }
}
