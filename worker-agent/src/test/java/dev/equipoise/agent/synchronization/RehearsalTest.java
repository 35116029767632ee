package dev.equipoise.agent.synchronization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class RehearsalTest {

    private static double ofTwoAlike(double seconds) {
        return 2 * seconds;
    }

    @Test
    void whatStillBecomesFasterIsTimedAnew() {
        Iterator<Double> timed = List.of(0.008, 0.004, 0.001, 0.0009, 0.0001).iterator();

        assertThat(Rehearsal.settled(timed::next, RehearsalTest::ofTwoAlike)).isEqualTo(0.0009);
        assertThat(timed).as("the last one was not needed").hasNext();
    }

    /** Both must stop at once, or one would wait for the other for ever. */
    @Test
    void aRankGoesOnAsLongAsAllTogetherBecomeFaster() {
        Iterator<Double> timed = List.of(0.001, 0.001, 0.001).iterator();
        Iterator<Double> sums = List.of(0.010, 0.005, 0.005).iterator();

        assertThat(Rehearsal.settled(timed::next, _ -> sums.next())).isEqualTo(0.001);
        assertThat(timed).isExhausted();
    }

    @Test
    void sumsOverSlowLinksAreTimedOnce() {
        Iterator<Double> timed = List.of(0.1, 0.01).iterator();

        assertThat(Rehearsal.settled(timed::next, RehearsalTest::ofTwoAlike)).isEqualTo(0.1);
        assertThat(timed).hasNext();
    }

    @Test
    void whatBecomesFasterWithoutEndIsGivenUp() {
        double[] seconds = {0.011};

        double last = Rehearsal.settled(() -> seconds[0] /= 2, RehearsalTest::ofTwoAlike);

        assertThat(last).as("once, and six times anew").isEqualTo(0.011 / 128);
    }
}
