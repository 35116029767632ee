package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.compare.ScalingPoint.ScaledTime;
import dev.equipoise.app.compare.ScalingPoint.TimedRun;
import dev.equipoise.performance.statistics.IntervalKind;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ScalingPointTest {

    private static TimedRun run(
            String line, int replicas, long seed, double accuracy, double seconds) {
        return new TimedRun(line, replicas, TestingComparison.run(seed, accuracy, seconds));
    }

    /** Seeds 1 and 2 are 1.6 and 2.5 times as fast on four replicas as on two. */
    @Test
    void speedupIsRelativeToTheFewestReplicasSeedBySeed() {
        List<ScalingPoint> points =
                ScalingPoint.of(
                        List.of(
                                run("ring", 4, 1, 0.9, 5),
                                run("ring", 2, 1, 0.9, 8),
                                run("ring", 2, 2, 0.9, 10),
                                run("tree", 2, 1, 0.9, 9),
                                run("ring", 4, 2, 0.9, 4)));

        assertThat(points)
                .extracting(it -> it.line() + " " + it.replicas())
                .containsExactly("ring 2", "ring 4", "tree 2");
        ScaledTime fewest = Objects.requireNonNull(points.get(0).training());
        ScaledTime more = Objects.requireNonNull(points.get(1).training());
        assertThat(fewest.speedup().mean()).isEqualTo(2);
        assertThat(fewest.speedup().interval()).isEqualTo(IntervalKind.NONE);
        assertThat(more.seconds().mean()).isEqualTo(4.5);
        assertThat(more.speedup().mean()).isCloseTo(4, within(1e-12));
        assertThat(more.speedup().low()).isCloseTo(3.2, within(1e-12));
        assertThat(more.speedup().high()).isCloseTo(5, within(1e-12));
        assertThat(points.get(1).epoch()).isNull();
    }

    /** The target accuracy is 0.5. */
    @Test
    void timeToTargetIsUnknownIfASeedMissedIt() {
        List<ScalingPoint> points =
                ScalingPoint.of(
                        List.of(
                                run("ring", 1, 1, 0.9, 8),
                                run("ring", 1, 2, 0.4, 8),
                                run("ring", 2, 1, 0.9, 5)));

        assertThat(points.get(0).target()).isNull();
        assertThat(Objects.requireNonNull(points.get(1).target()).speedup().mean()).isEqualTo(2);
    }
}
