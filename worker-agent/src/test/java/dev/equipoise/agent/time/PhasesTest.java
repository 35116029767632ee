package dev.equipoise.agent.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PhasesTest {

    private final TestingTime time = new TestingTime();

    @Test
    void sumsEachPhaseOverTheRounds() {
        var phases = Phases.begin(time);

        for (int round = 0; round < 3; round++) {
            time.work(Duration.ofMillis(20));
            phases.end(Phase.COMPUTE);
            time.idle(Duration.ofMillis(7));
            phases.end(Phase.WAIT);
            time.work(Duration.ofMillis(2));
            phases.end(Phase.TRANSFER);
            time.work(Duration.ofMillis(1));
            phases.end(Phase.COMPUTE);
        }

        assertThat(phases.seconds(Phase.COMPUTE)).isEqualTo(0.063);
        assertThat(phases.seconds(Phase.WAIT)).isEqualTo(0.021);
        assertThat(phases.seconds(Phase.TRANSFER)).isEqualTo(0.006);
        assertThat(phases.wallSeconds()).isEqualTo(0.090);
    }

    @Test
    void whatFollowsTheLastPhaseIsNotCounted() {
        var phases = Phases.begin(time);
        time.work(Duration.ofMillis(20));
        phases.end(Phase.COMPUTE);

        time.work(Duration.ofSeconds(5));

        assertThat(phases.wallSeconds()).isEqualTo(0.020);
        assertThat(phases.seconds(Phase.WAIT)).isZero();
    }
}
