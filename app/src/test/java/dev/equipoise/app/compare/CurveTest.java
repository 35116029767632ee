package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.ComparedAccuracy;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CurveTest {

    /**
     * Creates a curve with one point for each epoch of 10 s and 100 bytes; NaN stands for no
     * evaluation.
     */
    private static Curve curve(double... accuracies) {
        return new Curve(
                IntStream.range(0, accuracies.length)
                        .mapToObj(i -> point(i + 1, orNull(accuracies[i])))
                        .toList());
    }

    private static Curve.Point point(int epoch, @Nullable Double accuracy) {
        Double ofReplicas = accuracy == null ? null : Double.valueOf(accuracy - 0.5);
        return new Curve.Point(
                epoch,
                10.0 * epoch,
                12.0 * epoch,
                100L * epoch,
                accuracy,
                ofReplicas,
                accuracy,
                1.0 / epoch);
    }

    private static Criterion mean(double target) {
        return new Criterion(ComparedAccuracy.MEAN, target);
    }

    private static @Nullable Double orNull(double accuracy) {
        return Double.isNaN(accuracy) ? null : accuracy;
    }

    private static List<Integer> epochs(Curve curve) {
        return curve.points().stream().map(Curve.Point::epoch).toList();
    }

    /** The running means are 0.6, 0.75, 0.7, 0.8 and 0.8333. */
    @Test
    void targetIsReachedByTheMeanOfThreeEvaluations() {
        Curve curve = curve(0.6, 0.9, 0.6, 0.9, 1.0);

        assertThat(curve.reaching(mean(0.79)).map(Curve.Point::epoch)).contains(4);
        assertThat(curve.reaching(mean(0.79)).map(Curve.Point::seconds)).contains(40.0);
        assertThat(curve.reaching(mean(0.79)).map(Curve.Point::bytes)).contains(400L);
        assertThat(curve.reaching(mean(0.75)).map(Curve.Point::epoch)).contains(2);
        assertThat(curve.reaching(mean(0.84))).isEmpty();
    }

    @Test
    void epochsWithoutEvaluationDoNotCount() {
        Curve curve = curve(Double.NaN, 0.5, Double.NaN, 0.7, Double.NaN, 0.9);

        assertThat(curve.reaching(mean(0.6)).map(Curve.Point::epoch)).contains(4);
        assertThat(curve.reaching(mean(0.7)).map(Curve.Point::epoch)).contains(6);
        assertThat(curve.lastEvaluation().map(Curve.Point::epoch)).contains(6);
        assertThat(curve.bestAccuracy()).isEqualTo(0.9);
    }

    /** The replicas have 0.5 less than their mean. */
    @Test
    void replicasReachATargetByTheirOwnAccuracy() {
        Curve curve = curve(0.6, 0.9, 0.6, 0.9, 1.0);

        assertThat(
                        curve.reaching(new Criterion(ComparedAccuracy.REPLICAS, 0.29))
                                .map(Curve.Point::epoch))
                .contains(4);
        assertThat(curve.reaching(new Criterion(ComparedAccuracy.REPLICAS, 0.79))).isEmpty();
    }

    @Test
    void withoutTargetNoEpochReachesIt() {
        assertThat(curve(0.6).reaching(new Criterion(ComparedAccuracy.MEAN, null))).isEmpty();
    }

    @Test
    void emptyCurveReachesNoTarget() {
        Curve nothing = curve();

        assertThat(nothing.reaching(mean(0))).isEmpty();
        assertThat(nothing.bestAccuracy()).isNull();
        assertThat(nothing.thinned(2).points()).isEmpty();
    }

    @Test
    void thinningKeepsEvaluationsAndTheEnd() {
        Curve curve = curve(0.1, Double.NaN, 0.3, Double.NaN, Double.NaN);

        assertThat(epochs(curve.thinned(3))).containsExactly(1, 3, 5);
        assertThat(curve.thinned(5)).isEqualTo(curve);
        assertThat(epochs(curve.thinned(1))).containsExactly(5);
    }
}
