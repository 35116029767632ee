package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.equipoise.app.telemetry.CurvePoints;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BucketsTest {

    private static final Scale STEPS = new Scale(Axis.STEP, 10, List.of());
    private static final double ALL = Double.POSITIVE_INFINITY;

    /** Creates a curve whose values are (step - 50) squared. */
    private static CurvePoints curve(long... steps) {
        CurvePoints points = new CurvePoints();
        for (long step : steps) {
            points.point(step, step * 0.5, (step - 50.0) * (step - 50.0));
        }
        return points;
    }

    private static CurvePoints curve(int points) {
        return curve(LongStream.rangeClosed(1, points).toArray());
    }

    @Test
    void bucketHasLastLeastAndGreatestValueAndCount() {
        List<Bucket> buckets = Buckets.of(curve(101), STEPS, -ALL, ALL, 4);

        assertThat(buckets)
                .containsExactly(
                        new Bucket(1, 26, 1, 25, 625, 625, 49 * 49, 25),
                        new Bucket(26, 51, 26, 50, 0, 0, 24 * 24, 25),
                        new Bucket(51, 76, 51, 75, 625, 1, 625, 25),
                        new Bucket(76, 101, 76, 101, 51 * 51, 26 * 26, 51 * 51, 26));
    }

    @Test
    void eachPointCountsOnce() {
        for (int most = 1; most <= 99; most++) {
            assertThat(
                            Buckets.of(curve(99), STEPS, -ALL, ALL, most).stream()
                                    .mapToInt(Bucket::count)
                                    .sum())
                    .isEqualTo(99);
        }
    }

    @Test
    void curveWithFewerPointsThanBucketsKeepsEachPoint() {
        assertThat(Buckets.of(curve(2, 7, 60), STEPS, -ALL, ALL, 4))
                .containsExactly(
                        Bucket.ofPoint(2, 48 * 48),
                        Bucket.ofPoint(7, 43 * 43),
                        Bucket.ofPoint(60, 100));
    }

    @Test
    void requestedRangeIncludesBothEnds() {
        assertThat(Buckets.of(curve(100), STEPS, 20, 22, 4))
                .extracting(Bucket::firstX)
                .containsExactly(20.0, 21.0, 22.0);
        assertThat(Buckets.of(curve(100), STEPS, 20, 29, 2))
                .extracting(Bucket::count)
                .containsExactly(5, 5);
        assertThat(Buckets.of(curve(100), STEPS, 101, 200, 4)).isEmpty();
    }

    @Test
    void emptyBucketsAreOmitted() {
        assertThat(Buckets.of(curve(1, 2, 99, 100, 101), STEPS, -ALL, ALL, 5))
                .extracting(Bucket::from, Bucket::count)
                .containsExactly(tuple(1.0, 2), tuple(81.0, 3));
    }

    @Test
    void pointsAtOnePositionShareABucket() {
        CurvePoints points = new CurvePoints();
        LongStream.rangeClosed(1, 10).forEach(step -> points.point(step, 3, (double) step));

        assertThat(Buckets.of(points, new Scale(Axis.SECONDS, 1, List.of()), -ALL, ALL, 5))
                .containsExactly(new Bucket(3, 3, 3, 3, 10, 1, 10, 10));
    }

    @Test
    void repeatedRoundsReplaceEarlierPoints() {
        CurvePoints points = curve(10, 20, 30, 40);
        points.point(30, 1, 7);

        assertThat(Buckets.of(points, STEPS, -ALL, ALL, 9))
                .extracting(Bucket::lastX, Bucket::last)
                .containsExactly(tuple(10.0, 1600.0), tuple(20.0, 900.0), tuple(30.0, 7.0));
    }
}
