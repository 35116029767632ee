package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.run.RunState;
import dev.equipoise.performance.statistics.IntervalKind;
import dev.equipoise.performance.statistics.MeanEstimate;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ComparedGroupTest {

    private static final List<ComparedRun> BASELINE =
            List.of(
                    TestingComparison.run(1, 0.90, 10.0),
                    TestingComparison.run(2, 0.92, 14.0),
                    TestingComparison.run(3, 0.94, 12.0));

    @Test
    void figuresAreMeansOverSeeds() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(
                                TestingComparison.run(1, 0.9, 5.0),
                                TestingComparison.run(2, 0.9, 7.0)),
                        BASELINE,
                        ComparedAccuracy.MEAN);

        assertThat(group.seeds()).containsExactly(1L, 2L);
        assertThat(group.completed()).isEqualTo(2);
        assertThat(group.reached()).isEqualTo(2);
        assertThat(Objects.requireNonNull(group.figures().trainingSeconds()).mean()).isEqualTo(6);
        assertThat(Objects.requireNonNull(group.ratios()).trainingTime())
                .isCloseTo(2, within(1e-12));
        assertThat(group.ratios().bytesSent()).isCloseTo(0.5, within(1e-12));
    }

    @Test
    void accuracyIsComparedSeedBySeed() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(
                                TestingComparison.run(3, 0.91, 1.0),
                                TestingComparison.run(1, 0.89, 1.0),
                                TestingComparison.run(2, 0.90, 1.0),
                                TestingComparison.run(4, 0.10, 1.0)),
                        BASELINE,
                        ComparedAccuracy.MEAN);

        MeanEstimate difference = Objects.requireNonNull(group.accuracyDifference());
        assertThat(group.commonSeeds()).containsExactly(1L, 2L, 3L);
        assertThat(difference.count()).isEqualTo(3);
        assertThat(difference.interval()).isEqualTo(IntervalKind.RANGE);
        assertThat(difference.mean()).isCloseTo(-0.02, within(1e-12));
        assertThat(difference.low()).isCloseTo(-0.03, within(1e-12));
        assertThat(difference.high()).isCloseTo(-0.01, within(1e-12));
    }

    /** The replicas of these runs have half of the accuracy of their mean. */
    @Test
    void replicasAreComparedIfTheDefinitionSaysSo() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(TestingComparison.run(2, 0.90, 1.0)),
                        BASELINE,
                        ComparedAccuracy.REPLICAS);

        assertThat(Objects.requireNonNull(group.accuracyDifference()).mean())
                .isCloseTo(-0.01, within(1e-12));
    }

    @Test
    void baselineHasNoDifferenceToItself() {
        ComparedGroup baseline = ComparedGroup.of(BASELINE, BASELINE, ComparedAccuracy.MEAN);

        assertThat(baseline.accuracyDifference()).isNull();
        assertThat(baseline.ratioEstimates()).isNull();
        assertThat(baseline.commonSeeds()).isEmpty();
        assertThat(Objects.requireNonNull(baseline.ratios()).trainingTime()).isEqualTo(1);
    }

    @Test
    void groupsWithoutCommonSeedAreComparedUnpaired() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(
                                TestingComparison.run(11, 0.80, 5.0),
                                TestingComparison.run(12, 0.82, 7.0)),
                        BASELINE,
                        ComparedAccuracy.MEAN);

        MeanEstimate difference = Objects.requireNonNull(group.accuracyDifference());
        assertThat(group.commonSeeds()).isEmpty();
        assertThat(difference.count()).isEqualTo(2);
        assertThat(difference.mean()).isCloseTo(-0.11, within(1e-12));
        assertThat(difference.low()).isCloseTo(-0.14, within(1e-12));
        assertThat(difference.high()).isCloseTo(-0.08, within(1e-12));
    }

    /** The ratios 5, 2 and 0.8 have the product 8. */
    @Test
    void ratiosAreGeometricMeansOverCommonSeeds() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(
                                TestingComparison.run(1, 0.9, 2.0),
                                TestingComparison.run(2, 0.9, 7.0),
                                TestingComparison.run(3, 0.9, 15.0)),
                        BASELINE,
                        ComparedAccuracy.MEAN);

        MeanEstimate speedup =
                Objects.requireNonNull(
                        Objects.requireNonNull(group.ratioEstimates()).trainingTime());
        assertThat(speedup.mean()).isCloseTo(2, within(1e-12));
        assertThat(speedup.low()).isCloseTo(0.8, within(1e-12));
        assertThat(speedup.high()).isCloseTo(5, within(1e-12));
        assertThat(Objects.requireNonNull(group.ratios()).trainingTime()).isEqualTo(speedup.mean());
    }

    @Test
    void uncompletedRunsDoNotCount() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(
                                TestingComparison.run(1, 0.9, 5.0),
                                TestingComparison.run(2, 0.1, 1.0, RunState.FAILED)),
                        BASELINE,
                        ComparedAccuracy.MEAN);

        assertThat(group.runs()).hasSize(2);
        assertThat(group.completed()).isEqualTo(1);
        assertThat(group.figures().finalAccuracy()).isEqualTo(MeanEstimate.exactly(1, 0.9));
    }

    @Test
    void groupWithoutCompletedRunsHasNoFigures() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(TestingComparison.run(1, 0.9, 5.0, RunState.RUNNING)),
                        BASELINE,
                        ComparedAccuracy.MEAN);

        assertThat(group.figures()).isEqualTo(Estimates.of(SeedRuns.of(List.of())));
        assertThat(group.ratios()).isNull();
        assertThat(group.accuracyDifference()).isNull();
    }

    @Test
    void timeToTargetRequiresThatEverySeedReachedIt() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(
                                TestingComparison.run(1, 0.9, 5.0),
                                TestingComparison.run(2, 0.4, 7.0)),
                        BASELINE,
                        ComparedAccuracy.MEAN);

        assertThat(group.reached()).isEqualTo(1);
        assertThat(group.figures().secondsToTarget()).isNull();
        assertThat(group.figures().bytesToTarget()).isNull();
        assertThat(Objects.requireNonNull(group.ratios()).timeToTarget()).isNull();
    }
}
