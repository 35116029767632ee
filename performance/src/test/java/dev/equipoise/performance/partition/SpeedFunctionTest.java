package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpeedFunctionTest {

    private static SpeedFunction through(double... sizesAndSeconds) {
        var points = new ArrayList<SpeedFunction.Point>();
        for (int at = 0; at < sizesAndSeconds.length; at += 2) {
            points.add(new SpeedFunction.Point(sizesAndSeconds[at], sizesAndSeconds[at + 1]));
        }
        return SpeedFunction.piecewise(points);
    }

    @ParameterizedTest(name = "{0} units take {1} s")
    @CsvSource({
        "0, 0", // through the origin
        "5, 0.5", // linear below the first point
        "10, 1", // a measured point
        "15, 2", // between two points
        "20, 3",
        "30, 4", // another segment
        "40, 5",
        "60, 7" // continues with the last slope
    })
    void interpolatesLinearlyThroughTheOriginAndThePoints(double size, double seconds) {
        assertThat(through(10, 1, 20, 3, 40, 5).seconds(size)).isEqualTo(seconds, within(1e-12));
    }

    @Test
    void acceptsPointsInAnyOrder() {
        assertThat(through(40, 5, 10, 1, 20, 3).seconds(15)).isEqualTo(2, within(1e-12));
    }

    @Test
    void singlePointGivesAConstantSpeed() {
        assertThat(through(10, 2).seconds(25)).isEqualTo(5, within(1e-12));
    }

    @Test
    void adjacentViolatorsArePooledToTheirMean() {
        SpeedFunction noisy = through(10, 1, 20, 3, 30, 2, 40, 4);

        assertThat(noisy.seconds(20)).isEqualTo(2.5);
        assertThat(noisy.seconds(25)).isEqualTo(2.5);
        assertThat(noisy.seconds(30)).isEqualTo(2.5);
        assertThat(noisy.seconds(40)).isEqualTo(4);
    }

    @Test
    void flatEndContinuesWithTheMeanSpeed() {
        assertThat(through(10, 1, 20, 3, 30, 2).seconds(60)).isEqualTo(2.5 + 30 * 2.5 / 30);
    }

    @Test
    void repeatedSizeCountsWithItsMean() {
        SpeedFunction twice = through(10, 1, 20, 2, 20, 3);

        assertThat(twice.seconds(20)).isEqualTo(2.5);
        assertThat(twice.seconds(15)).isEqualTo(1.75);
        assertThat(twice.seconds(40)).isEqualTo(5.5);
    }

    @Test
    void neverFalls() {
        SpeedFunction noisy = through(8, 3, 16, 2.5, 32, 2.4, 48, 7, 64, 6.5, 96, 6.4);
        double before = 0;
        for (double size = 0; size < 200; size += 0.25) {
            assertThat(noisy.seconds(size)).isGreaterThanOrEqualTo(before);
            before = noisy.seconds(size);
        }
    }

    @Test
    void slowdownMultipliesTheSeconds() {
        SpeedFunction slower = through(10, 1, 20, 3, 40, 5).slowedBy(2.5);

        assertThat(slower.seconds(5)).isEqualTo(1.25, within(1e-12));
        assertThat(slower.seconds(15)).isEqualTo(5, within(1e-12));
        assertThat(slower.seconds(60)).isEqualTo(17.5, within(1e-12));
    }

    @Test
    void slowdownOfOneReturnsTheSameFunction() {
        SpeedFunction speed = through(10, 1);

        assertThat(speed.slowedBy(1)).isSameAs(speed);
    }

    @Test
    void pointsAreSortedAndPooled() {
        assertThat(through(30, 2, 10, 1, 20, 3).points())
                .containsExactly(
                        new SpeedFunction.Point(10, 1),
                        new SpeedFunction.Point(20, 2.5),
                        new SpeedFunction.Point(30, 2.5));
        assertThat(through(10, 1).slowedBy(3).points())
                .containsExactly(new SpeedFunction.Point(10, 3));
    }

    @Test
    void rejectsNoPoints() {
        assertThatThrownBy(() -> SpeedFunction.piecewise(List.of()))
                .hasMessage("a speed function has 0 points: at least 1");
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "-1, 1", "1, -1", "NaN, 1", "1, NaN"})
    void rejectsPointsThatAreNotPositive(double size, double seconds) {
        assertThatThrownBy(() -> new SpeedFunction.Point(size, seconds))
                .hasMessage(
                        "size %s or seconds %s are out of range: greater than 0 and finite",
                        size, seconds);
    }
}
