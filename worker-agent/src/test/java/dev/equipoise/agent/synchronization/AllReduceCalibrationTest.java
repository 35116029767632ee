package dev.equipoise.agent.synchronization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllReduceCalibrationTest {

    private static double sumOfTwoEqual(double seconds) {
        return 2 * seconds;
    }

    @Test
    void repeatsWhileItBecomesFaster() {
        Iterator<Double> timed = List.of(0.008, 0.004, 0.001, 0.0009, 0.0001).iterator();

        assertThat(
                        AllReduceCalibration.settled(
                                timed::next, AllReduceCalibrationTest::sumOfTwoEqual))
                .isEqualTo(0.0009);
        assertThat(timed).as("the last one is not needed").hasNext();
    }

    /** Both must stop together, since otherwise one would wait forever. */
    @Test
    void rankRepeatsWhileTheSumBecomesFaster() {
        Iterator<Double> timed = List.of(0.001, 0.001, 0.001).iterator();
        Iterator<Double> sums = List.of(0.010, 0.005, 0.005).iterator();

        assertThat(AllReduceCalibration.settled(timed::next, _ -> sums.next())).isEqualTo(0.001);
        assertThat(timed).isExhausted();
    }

    @Test
    void allReducesOverSlowLinksAreTimedOnce() {
        Iterator<Double> timed = List.of(0.1, 0.01).iterator();

        assertThat(
                        AllReduceCalibration.settled(
                                timed::next, AllReduceCalibrationTest::sumOfTwoEqual))
                .isEqualTo(0.1);
        assertThat(timed).hasNext();
    }

    @Test
    void repeatsAreLimited() {
        double[] seconds = {0.011};

        double last =
                AllReduceCalibration.settled(
                        () -> seconds[0] /= 2, AllReduceCalibrationTest::sumOfTwoEqual);

        assertThat(last).as("once, and six repeats").isEqualTo(0.011 / 128);
    }
}
