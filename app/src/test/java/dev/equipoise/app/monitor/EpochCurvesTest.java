package dev.equipoise.app.monitor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.telemetry.CurvePoints;
import dev.equipoise.app.telemetry.EpochMetric;
import dev.equipoise.app.telemetry.EpochStore.EpochFigures;
import dev.equipoise.app.telemetry.MetricStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two ranks with ten rounds an epoch, of which the second has not reported the third epoch. */
class EpochCurvesTest {

    private final EpochCurves curves =
            new EpochCurves(
                    10,
                    List.of(
                            figures(0, 1, 3, null),
                            figures(1, 1, 1, null),
                            figures(0, 2, 1, 0.5),
                            figures(1, 2, 4, 0.5),
                            figures(0, 3, 1, 0.75)));

    private static EpochFigures figures(
            int rank, int epoch, double seconds, @Nullable Double accuracy) {
        return new EpochFigures(
                rank,
                epoch,
                2,
                rank == 0 ? 60 : 0,
                seconds,
                100,
                0.25 * epoch,
                accuracy,
                accuracy == null ? null : 1 - accuracy,
                null,
                null,
                null,
                null);
    }

    private CurvePoints ofRank(int rank, EpochMetric metric) {
        return requireNonNull(curves.ofRanks(metric).get(rank));
    }

    @Test
    void metricOfTheRunHasAPointOnceAllRanksReportedTheEpoch() {
        CurvePoints accuracy = curves.ofRun(EpochMetric.TEST_ACCURACY);

        assertThat(accuracy.size()).isEqualTo(1);
        assertThat(accuracy.step(0)).isEqualTo(20);
        assertThat(accuracy.value(0)).isEqualTo(0.5);
    }

    @Test
    void timeOfTheRunIsThatOfItsSlowestRank() {
        assertThat(curves.ofRun(EpochMetric.TEST_ACCURACY).seconds(0)).isEqualTo(5);
    }

    @Test
    void timeOfARankIsTheSumOfItsEpochs() {
        CurvePoints bytes = ofRank(0, EpochMetric.BYTES);

        assertThat(bytes.size()).isEqualTo(3);
        assertThat(bytes.seconds(2)).isEqualTo(5);
        assertThat(bytes.step(2)).isEqualTo(30);
    }

    @Test
    void rankWithoutSamplesHasNoLoss() {
        assertThat(ofRank(1, EpochMetric.LOSS).size()).isZero();
        assertThat(curves.metrics())
                .filteredOn(it -> it.name().equals("epoch/loss"))
                .containsExactly(
                        new MetricStore.Metric("epoch/loss", 0, 3, 10, 10, 30, 0.25, 0.75));
    }

    @Test
    void metricsWithoutEvaluationAreNotListed() {
        assertThat(curves.metrics())
                .extracting(MetricStore.Metric::name)
                .contains("test/accuracy", "test/loss", "epoch/seconds")
                .doesNotContain("replica/accuracy", "replicas/distance");
    }
}
