package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.performance.partition.SpeedFunction.Point;
import dev.equipoise.protocol.Partitioning.Model;
import dev.equipoise.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AkimaSplineTest {

    private static SpeedFunction akima(List<Point> points) {
        return SpeedFunction.of(Model.AKIMA, points, 1);
    }

    @Test
    void interpolatesItsPoints() {
        List<Point> points =
                List.of(
                        new Point(8, 1),
                        new Point(16, 1.5),
                        new Point(32, 2.1),
                        new Point(64, 4.5),
                        new Point(128, 9));

        SpeedFunction spline = akima(points);

        assertThat(spline).isInstanceOf(AkimaSpline.class);
        assertThat(points)
                .allSatisfy(it ->
                        assertThat(spline.seconds(it.size()))
                                .isEqualTo(it.seconds(), within(1e-12)));
    }

    /**
     * Computed by hand: the slopes of the segments are 1, 1, 2, 2, 2, so the spline has the slopes
     * 1.5 and 2 at 3 and 4.
     */
    @Test
    void innerSegmentFollowsTheFormula() {
        SpeedFunction spline =
                akima(
                        List.of(
                                new Point(1, 1),
                                new Point(2, 2),
                                new Point(3, 3),
                                new Point(4, 5),
                                new Point(5, 7),
                                new Point(6, 9)));

        assertThat(spline.slope(3)).isEqualTo(1.5, within(1e-9));
        assertThat(spline.slope(4)).isEqualTo(2, within(1e-9));
        assertThat(spline.seconds(3.5)).isEqualTo(3.9375, within(1e-9));
    }

    /**
     * Computed by hand: the segments have the slopes 1, 2, 4, 2, 3, and beyond the ends -1, 0 and
     * 4, 5. The spline has the slopes 1/2, 4/3, 8/3, 8/3, 8/3, 7/2 at the points. A parabola
     * through the first three points would have the slope 3/2 at the second one.
     */
    @Test
    void endsFollowTwoExtrapolatedSlopes() {
        SpeedFunction spline =
                akima(
                        List.of(
                                new Point(1, 1),
                                new Point(2, 2),
                                new Point(3, 4),
                                new Point(4, 8),
                                new Point(5, 10),
                                new Point(6, 13)));

        assertThat(spline.slope(1)).isEqualTo(0.5, within(1e-12));
        assertThat(spline.slope(2)).isEqualTo(4.0 / 3, within(1e-12));
        assertThat(spline.slope(3)).isEqualTo(8.0 / 3, within(1e-12));
        assertThat(spline.slope(5)).isEqualTo(8.0 / 3, within(1e-12));
        assertThat(spline.seconds(1.5)).isEqualTo(1.5 - 5.0 / 48, within(1e-12));
        assertThat(spline.seconds(5.5)).isEqualTo(11.5 - 5.0 / 48, within(1e-12));
    }

    /**
     * Computed by hand: the segments have the slopes 1, 2, 3, 6 at widths of 1, 2, 4, 8. The spline
     * has the slope 3/2 at the second point, whatever the widths; the parabola through the first
     * three points has 4/3.
     */
    @Test
    void endsDependOnSlopesAlone() {
        SpeedFunction spline =
                akima(
                        List.of(
                                new Point(1, 1),
                                new Point(2, 2),
                                new Point(4, 6),
                                new Point(8, 18),
                                new Point(16, 66)));

        assertThat(spline.slope(1)).isEqualTo(0.5, within(1e-12));
        assertThat(spline.slope(2)).isEqualTo(1.5, within(1e-12));
        assertThat(spline.slope(4)).isEqualTo(9.0 / 4, within(1e-12));
    }

    @Test
    void isLinearOutsideItsPoints() {
        SpeedFunction spline =
                akima(IntStream.rangeClosed(1, 6).mapToObj(i -> new Point(10 * i, i)).toList());

        assertThat(spline.seconds(0)).isZero();
        assertThat(spline.seconds(5)).isEqualTo(0.5, within(1e-12));
        assertThat(spline.seconds(100)).isEqualTo(10, within(1e-12));
    }

    @Test
    void fourPointsGiveAPiecewiseLinearModel() {
        assertThat(akima(IntStream.rangeClosed(1, 4).mapToObj(i -> new Point(i, i * i)).toList()))
                .isInstanceOf(LinearPieces.class);
    }

    @Test
    void neverFallsOverNoisyPoints() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            SpeedFunction spline =
                    akima(
                            IntStream.rangeClosed(1, 5 + random.nextInt(10))
                                    .mapToObj(i -> new Point(8 * i, 0.1 * i + random.nextDouble()))
                                    .toList());
            double before = 0;
            for (double size = 0; size < 150; size += 0.1) {
                assertThat(spline.seconds(size))
                        .as("seed %d, round %d, size %s", seed, round, size)
                        .isGreaterThanOrEqualTo(before - 1e-12);
                before = spline.seconds(size);
            }
        }
    }
}
