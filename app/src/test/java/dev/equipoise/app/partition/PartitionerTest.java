package dev.equipoise.app.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionerTest {

    @Test
    void equalSharesDifferByOneAtMost() {
        assertThat(Partitioner.equal(11, 4)).containsExactly(3, 3, 3, 2);
    }

    @Test
    void sharesFollowTheCounts() {
        assertThat(Partitioner.inProportion(60_000, List.of(1, 1, 2)))
                .containsExactly(15_000, 15_000, 30_000);
        assertThat(Partitioner.inProportion(100, List.of(3, 3, 7))).containsExactly(23, 23, 54);
        assertThat(Partitioner.inProportion(7, List.of(5))).containsExactly(7);
    }

    @Test
    void functionalSharesTakeAllTheSameTime() {
        SpeedFunction slow = speed(0.004);
        SpeedFunction fast = speed(0.001);

        assertThat(Partitioner.functional(1000, 10, List.of(slow, fast, fast.slowedBy(2))))
                .containsExactly(143, 571, 286);
    }

    private static SpeedFunction speed(double secondsPerSample) {
        return SpeedFunction.piecewise(List.of(new SpeedFunction.Point(1, secondsPerSample)));
    }
}
