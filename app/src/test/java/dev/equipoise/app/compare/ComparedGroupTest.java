package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.run.RunState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ComparedGroupTest {

    private static final List<ComparedRun> BASELINE =
            List.of(
                    TestingComparison.run(1, 0.90, 10.0),
                    TestingComparison.run(2, 0.92, 14.0),
                    TestingComparison.run(3, 0.94, 12.0));

    @Test
    void figuresAreMeansOverSeedsAndRatiosAreOfMeans() {
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
        assertThat(Objects.requireNonNull(group.ratios()).trainingTime()).isEqualTo(2);
        assertThat(group.ratios().bytesSent()).isEqualTo(0.5);
    }

    /** Differences -0.01, -0.02, -0.03: mean -0.02, s = 0.01, half 4.302653 * 0.01 / sqrt(3). */
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
        assertThat(difference.count()).isEqualTo(3);
        assertThat(difference.mean()).isCloseTo(-0.02, within(1e-12));
        assertThat(difference.low()).isCloseTo(-0.02 - 0.02484138, within(1e-8));
        assertThat(difference.high()).isCloseTo(-0.02 + 0.02484138, within(1e-8));
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
        assertThat(ComparedGroup.of(BASELINE, BASELINE, ComparedAccuracy.MEAN).accuracyDifference())
                .isNull();
    }

    @Test
    void groupsWithoutCommonSeedHaveNoDifference() {
        assertThat(ComparedGroup.pairedDifference(Map.of(1L, 0.9), Map.of(2L, 0.8))).isNull();
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
        assertThat(group.figures().finalAccuracy()).isEqualTo(new MeanEstimate(1, 0.9, null, null));
    }

    @Test
    void groupWithoutCompletedRunsHasNoFigures() {
        ComparedGroup group =
                ComparedGroup.of(
                        List.of(TestingComparison.run(1, 0.9, 5.0, RunState.RUNNING)),
                        BASELINE,
                        ComparedAccuracy.MEAN);

        assertThat(group.figures()).isEqualTo(Estimates.of(List.of()));
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
